import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { createMeasure } from "../../../src/inventory/usage/measure.ts";
import { createProcessTable } from "../../../src/processes/index.ts";
import { createPsTable } from "../../../src/processes/ps.ts";
import type { ProcessKey } from "../../../src/processes/types.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { afterThisTest, run, runShell, until } from "../../processes/support.ts";

const MIB = 1_048_576;

/** Uses a processor until it is ended, and for half a minute at most. */
const BUSY = "const end = Date.now() + 30_000; while (Date.now() < end);";

const clock = systemClock;
const table = createProcessTable({ clock });
const measure = createMeasure({ clock, table });

const keyOf = (pid: number): ProcessKey => {
  const found = table.read(pid);
  if (found === undefined) throw new Error(`Expected process ${pid} to live`);
  return found;
};

/** For how long a process ran by the kernel's own account, in milliseconds. */
function ranMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const descriptors = () => readdirSync("/proc/self/fd").length;

describe("measuring with pidusage", () => {
  it("states for how long a process ran, as its kernel does, and how old it is", async () => {
    const busy = await run(process.execPath, ["-e", BUSY]);
    await until(() => ranMs(busy.pid) >= 200);
    const before = ranMs(busy.pid);
    const figures = (await measure([keyOf(busy.pid)])).get(busy.pid);
    expect(figures?.ranMs).toBeGreaterThanOrEqual(before);
    expect(figures?.ranMs).toBeLessThanOrEqual(ranMs(busy.pid));
    expect(figures?.waitedMs).toBe(0);
    const startedAt = table.startedAt(keyOf(busy.pid)) ?? 0;
    expect(Math.abs((figures?.ageMs ?? 0) - (clock.now() - startedAt))).toBeLessThan(1_000);
  });

  it("states the memory that a process holds", async () => {
    const program = `globalThis.held = Buffer.alloc(${128 * MIB}, 1); console.log("held"); setTimeout(() => {}, 30_000);`;
    const holder = await run(process.execPath, ["-e", program]);
    await holder.line();
    const figures = (await measure([keyOf(holder.pid)])).get(holder.pid);
    expect(figures?.memoryBytes).toBeGreaterThan(128 * MIB);
    expect(figures?.memoryBytes).toBeLessThan(400 * MIB);
  });

  it("states what a process has waited for apart from its own time", async () => {
    const program =
      "const end = Date.now() + 5_000; while (process.cpuUsage().user < 150_000 && Date.now() < end);";
    const shell = await runShell(`"${process.execPath}" -e '${program}'`);
    const figures = (await measure([keyOf(shell.pid)])).get(shell.pid);
    expect(figures?.ranMs).toBeLessThan(100);
    expect(figures?.waitedMs).toBeGreaterThanOrEqual(140);
    expect(figures?.waitedMs).toBeLessThan(5_000);
  });

  it("states nothing of a process that has ended, and all of the others", async () => {
    const lasting = await runShell("");
    const ended = await runShell("");
    const keys = [lasting, ended].map(({ pid }) => keyOf(pid));
    await ended.end();
    expect([...(await measure(keys)).keys()]).toEqual([lasting.pid]);
    expect([...(await measure(keys.slice(1))).keys()]).toEqual([]);
  });

  it("states nothing of another process that has the number now", async () => {
    const { pid } = await runShell("");
    const key = keyOf(pid);
    const earlier = { pid, startTick: String(Number(key.startTick) - 1) };
    expect((await measure([earlier])).size).toBe(0);
    expect((await measure([key])).size).toBe(1);
  });

  it("states nothing where nothing is asked, and our own process where that is", async () => {
    expect((await measure([])).size).toBe(0);
    const figures = (await measure([keyOf(process.pid)])).get(process.pid);
    expect(figures?.memoryBytes).toBeGreaterThan(10 * MIB);
  });

  it("fails where not even our own process is seen, since that says nothing of the others", async () => {
    const blind = createMeasure({ clock, table: { ...table, read: () => undefined } });
    await expect(blind([keyOf(process.pid)])).rejects.toThrow("our own process");
  });

  it("is not moved by variables of the environment", async () => {
    await measure([keyOf(process.pid)]);
    vi.stubEnv("PIDUSAGE_MAXAGE", "0");
    vi.stubEnv("PIDUSAGE_USE_PS", "true");
    vi.stubEnv("PATH", "/nonexistent");
    afterThisTest(() => vi.unstubAllEnvs());
    expect((await measure([keyOf(process.pid)])).size).toBe(1);
  });

  it("leaves the environment as it was", async () => {
    vi.stubEnv("LC_ALL", undefined);
    afterThisTest(() => vi.unstubAllEnvs());
    const before = { ...process.env };
    const measuring = measure([keyOf(process.pid)]);
    expect(process.env["LC_ALL"]).toBeUndefined();
    await measuring;
    expect({ ...process.env }).toEqual(before);
  });

  it("serves several at once", async () => {
    const shells = await Promise.all([runShell(""), runShell("")]);
    const keys = shells.map(({ pid }) => keyOf(pid));
    const all = await Promise.all([measure(keys), measure(keys), measure(keys.slice(1))]);
    expect(all.map(({ size }) => size)).toEqual([2, 2, 1]);
  });
});

describe("measuring leaves nothing behind", () => {
  it("no descriptor and no timer, while processes begin and end in hundreds", async () => {
    const begun = vi.spyOn(globalThis, "setInterval");
    const ended = vi.spyOn(globalThis, "clearInterval");
    afterThisTest(() => vi.restoreAllMocks());
    const lasting = await runShell("");
    await measure([keyOf(lasting.pid)]);
    const before = descriptors();
    let left = 200;
    const exits: Promise<unknown>[] = [];
    while (left > 0) {
      const some = Array.from({ length: 10 }, () => spawn("true", { stdio: "ignore" }));
      left -= some.length;
      exits.push(...some.map((child) => once(child, "exit")));
      const keys = some.map(({ pid }) => table.read(pid ?? 0)).filter((key) => key !== undefined);
      const figures = await measure([...keys, keyOf(lasting.pid)]);
      expect(figures.get(lasting.pid)).toBeDefined();
    }
    await Promise.all(exits);
    expect(descriptors()).toBe(before);
    const timers = begun.mock.results.map(({ value }) => value as unknown);
    expect(timers.length).toBeGreaterThan(0);
    const cleared = new Set(ended.mock.calls.map(([timer]) => timer as unknown));
    expect(timers.filter((timer) => !cleared.has(timer))).toEqual([]);
  });

  it("also where it fails in the midst", async () => {
    await measure([keyOf(process.pid)]);
    const before = descriptors();
    const blind = createMeasure({ clock, table: { ...table, read: () => undefined } });
    await expect(blind([keyOf(process.pid)])).rejects.toThrow();
    expect(descriptors()).toBe(before);
  });
});

it("by `ps`, where there is no procfs, the same is measured in whole seconds", async () => {
  const listed = createPsTable({ clock, limited: "no_proc" });
  const busy = await run(process.execPath, ["-e", BUSY]);
  const gone = await runShell("");
  await until(() => ranMs(busy.pid) >= 1_100);
  const snapshot = await listed.sweep();
  const keys = [busy, gone].flatMap(({ pid }) => snapshot.get(pid) ?? []);
  expect(keys).toHaveLength(2);
  await gone.end();
  const figures = await createMeasure({ clock, table: listed })(keys);
  expect([...figures.keys()]).toEqual([busy.pid]);
  expect(figures.get(busy.pid)?.ranMs).toBeGreaterThanOrEqual(1_000);
  expect(figures.get(busy.pid)?.ranMs).toBeLessThanOrEqual(ranMs(busy.pid));
  expect(figures.get(busy.pid)?.waitedMs).toBe(0);
  expect(figures.get(busy.pid)?.memoryBytes).toBeGreaterThan(10 * MIB);
});
