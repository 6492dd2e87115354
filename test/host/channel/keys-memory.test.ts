import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { KeyMemory, MAX_KEYS, MAX_SESSION_KEYS } from "../../../src/host/channel/keys-memory.ts";
import { until } from "../process/support.ts";

/** A call that is done when the test says so. */
function held<Result>() {
  let settle: { resolve(result: Result): void; reject(error: Error): void } | undefined;
  const result = new Promise<Result>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { run: () => result, ...settle } as {
    run(): Promise<Result>;
    resolve(result: Result): void;
    reject(error: Error): void;
  };
}

test("a call that is made again joins the one under way, and has its result afterwards", async () => {
  const keys = new KeyMemory();
  const call = held<number>();
  let runs = 0;
  const run = () => {
    runs += 1;
    return call.run();
  };
  const first = keys.once("s", "k", { op: "open", a: 1 }, run);
  const second = keys.once("s", "k", { a: 1, op: "open" }, run);
  call.resolve(5);
  expect(await Promise.all([first, second])).toEqual([5, 5]);
  expect(await keys.once("s", "k", { op: "open", a: 1 }, run)).toBe(5);
  expect(runs).toBe(1);
});

test("a failure is an outcome too", async () => {
  const keys = new KeyMemory();
  const call = held<number>();
  const first = keys.once("s", "k", {}, call.run);
  call.reject(new Error("no"));
  await expect(first).rejects.toThrow("no");
  await expect(keys.once("s", "k", {}, async () => 1)).rejects.toThrow("no");
});

test("a failure that is remembered keeps nothing of what failed", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  class Failing {
    readonly output = new Uint8Array(1024);
    async fail(): Promise<never> {
      await null;
      throw new Error(`${this.output.length} bytes`);
    }
  }
  const keys = new KeyMemory();
  const failing = Array.from({ length: 8 }, (_, index) => {
    const one = new Failing();
    keys.once("s", `k${index}`, {}, () => one.fail()).catch(() => {});
    return new WeakRef(one);
  });
  // What was looked at in a turn of the event loop is kept until its end.
  await until(() => {
    collect();
    return failing.every((one) => one.deref() === undefined) || undefined;
  });
  expect(keys.size).toBe(8);
});

test("a key of another call is refused, one of another session is another key", async () => {
  const keys = new KeyMemory();
  await keys.once("s", "k", { op: "open" }, async () => 1);
  await expect(keys.once("s", "k", { op: "close" }, async () => 2)).rejects.toMatchObject({
    code: "key_reused",
    message: 'the key "k" was given with another call before; a key names one call',
  });
  expect(await keys.once("t", "k", { op: "close" }, async () => 2)).toBe(2);
});

test("the oldest keys of a session are forgotten, and nobody else's", async () => {
  const keys = new KeyMemory();
  await keys.once("other", "k", {}, async () => "kept");
  for (let count = 0; count <= MAX_SESSION_KEYS; count += 1) {
    await keys.once("s", `k${count}`, {}, async () => count);
  }
  expect(keys.size).toBe(MAX_SESSION_KEYS + 1);
  expect(await keys.once("other", "k", {}, async () => "again")).toBe("kept");
  expect(await keys.once("s", "k1", {}, async () => "again")).toBe(1);
  expect(await keys.once("s", "k0", {}, async () => "again")).toBe("again");
});

test("sessions without number are forgotten too", async () => {
  const keys = new KeyMemory();
  for (let count = 0; count < MAX_KEYS + 10; count += 1) {
    await keys.once(`s${count}`, "k", {}, async () => count);
  }
  expect(keys.size).toBe(MAX_KEYS);
  expect(await keys.once("s0", "k", {}, async () => "again")).toBe("again");
});
