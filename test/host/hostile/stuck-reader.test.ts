import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { INPUT_LIMIT_BYTES, Input } from "../../../src/host/pty/input.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { type BuiltHost, buildHost, RealHost } from "./real-host.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

/** A program that never reads, on a terminal that is as most programs have it but for the echo. */
const STUCK = "stty -echo; trap 'echo interrupted' INT; echo ready; while :; do sleep 0.02; done";

const HALF = Buffer.alloc(INPUT_LIMIT_BYTES / 2, "a line\n");

test("what a program does not read is taken up to 1 MiB, then refused with how much was taken; Ctrl-C still reaches it", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  const { id } = await client.script("s", STUCK);
  const viewer = await host.connect();
  await viewer.attach(id);
  await viewer.shows("ready");
  for (let round = 0; round < 4; round += 1) viewer.send(HALF);
  // Behind everything that was typed.
  await viewer.call({ op: "list", sessionId: "s" });
  const refused = viewer.events.map((event) => (event.type === "error" ? event.message : ""));
  const missing = refused.filter(Boolean).map((message) => {
    const [, taken, given] = /does not read: (\d+) of (\d+) bytes were typed$/.exec(message) ?? [];
    return Number(given) - Number(taken);
  });
  expect(missing.length).toBeGreaterThan(0);
  const taken = 4 * HALF.length - missing.reduce((sum, bytes) => sum + bytes, 0);
  // Beyond what waits in the host is what the kernel took.
  expect(taken).toBeGreaterThanOrEqual(INPUT_LIMIT_BYTES);
  expect(taken).toBeLessThan(INPUT_LIMIT_BYTES + 64 * 1024);
  const send = { op: "send", sessionId: "s", target: id, literal: true } as const;
  await expect(client.call({ ...send, key: "1", keys: ["more"] })).rejects.toThrow(
    "the program does not read: 0 of 4 bytes were taken",
  );
  viewer.type("\x03");
  await viewer.shows("interrupted");
  // What waited is gone with the interrupt, so there is room again.
  await client.call({ ...send, key: "2", keys: ["more"] });
});

test("a host waits for a program that does not read without being busy", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  const { id } = await client.script("s", STUCK.replace("sleep 0.02", "sleep 60"));
  const viewer = await host.connect();
  await viewer.attach(id);
  await viewer.shows("ready");
  for (let round = 0; round < 3; round += 1) viewer.send(HALF);
  await viewer.next("error");
  const clock = await client.script("clock", "head -c 1 > /dev/null; sleep 2");
  const before = host.ticks;
  await client.call({
    op: "send",
    sessionId: "clock",
    key: "begin",
    target: clock.id,
    keys: ["Enter"],
    literal: false,
  });
  const wait = { until: "exit", timeoutMs: 20_000 } as const;
  await client.read({ sessionId: "clock", target: clock.id, wait });
  // Of the 200 ticks of one processor that the other program waited.
  expect(host.ticks - before).toBeLessThan(20);
});

test("a megabyte typed to a program that repeats all of it arrives whole, while nobody takes what it writes", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  const text = Buffer.from(Array.from({ length: INPUT_LIMIT_BYTES }, (_, at) => 32 + (at % 95)));
  const repeats = `head -c ${text.length} | tee /dev/stderr | sha256sum`;
  const { id } = await client.script("s", `stty raw -echo; printf ready; ${repeats}; read end`);
  const [viewer, stopped] = [await host.connect(), await host.connect()];
  await viewer.attach(id);
  await stopped.attach(id);
  stopped.socket.pause();
  await viewer.shows("ready");
  viewer.keeps = false;
  viewer.send(text);
  const sum = createHash("sha256").update(text).digest("hex");
  const wait = { until: "match", pattern: sum, timeoutMs: 20_000 } as const;
  const read = await client.read({ sessionId: "s", target: id, from: 0, wait });
  expect(read.waited).toBe("match");
  expect(read.to).toBeGreaterThan(text.length);
});

test("a terminal that was stopped with Ctrl-S goes on with Ctrl-Q, and is closed all the same", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  const { id } = await client.script(
    "s",
    "stty -echo; printf ready; while read line; do echo; seq 20000; done",
  );
  const viewer = await host.connect();
  await viewer.attach(id);
  await viewer.shows("ready");
  viewer.type("\x13\r");
  await client.call({ op: "list", sessionId: "s" });
  viewer.type("\x11");
  await viewer.shows("\r\n20000\r\n");
  viewer.type("\x13\r\r");
  const close = { op: "close", sessionId: "s", key: "c", target: id } as const;
  expect(await client.call(close)).toEqual({ kind: "closed", terminalId: id });
  await viewer.next("closed");
});

test("writing is tried a bounded number of times a second while nothing is taken", async () => {
  const clock = new FakeClock();
  let tries = 0;
  const write = () => {
    tries += 1;
    return 0;
  };
  const input = new Input({ write }, -1, clock);
  expect(input.write(HALF)).toBe(HALF.length);
  for (let turns = 0; turns < 10; turns += 1) await new Promise((turn) => setImmediate(turn));
  const soon = tries;
  expect(soon).toBeLessThan(10);
  await clock.advance(1_000);
  expect(tries - soon).toBeGreaterThan(1);
  expect(tries - soon).toBeLessThanOrEqual(1_000 / 8 + 8);
  input.close();
  await clock.advance(1_000);
  const last = tries;
  await clock.advance(1_000);
  expect(tries).toBe(last);
});
