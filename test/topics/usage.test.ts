import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TopicFrame } from "../../src/contract/envelope.ts";
import { TerminalsUsageFrame, type TerminalUsageElement } from "../../src/contract/usage.ts";
import { isValid } from "../../src/contract/validation.ts";
import type { Figures, Measure } from "../../src/inventory/usage/figures.ts";
import { createMeasure } from "../../src/inventory/usage/measure.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import type { ProcessInfo } from "../../src/processes/types.ts";
import { systemClock } from "../../src/time/clock.ts";
import { Topics } from "../../src/topics/hub.ts";
import type { Reader } from "../../src/topics/reader.ts";
import { type ObservedOccupants, offerUsage } from "../../src/topics/usage.ts";
import { FakeClock, settled } from "../lib/fake-clock.ts";
import { processInfo } from "../lib/fake-table.ts";
import { afterThisTest, run, until } from "../processes/support.ts";
import { EPOCH, folded, INSTANCE, TestSink } from "./support.ts";

const MIB = 1_048_576;

/** In per cent of one, and no terminal uses more. */
const ALL_CORES = cpus().length * 100;

type UsageFrame = TopicFrame<{ usage: TerminalUsageElement[]; polled_at?: number }>;

/** What a process of the made-up host has used by now. */
interface Use {
  readonly terminal: string;
  readonly info: ProcessInfo;
  readonly began: number;
  ranMs: number;
  memoryBytes: number;
}

/** A made-up host with its topic: terminals, the processes in them, and readers. */
class Host implements ObservedOccupants {
  readonly clock = new FakeClock();
  readonly topics = new Topics({ clock: this.clock });
  readonly terminals = new Set<string>();
  readonly processes = new Map<number, Use>();
  wants = 0;
  broken = false;
  ready: Promise<void> = Promise.resolve();
  readonly topic = offerUsage({
    topics: this.topics,
    instance: INSTANCE,
    epoch: EPOCH,
    clock: this.clock,
    observation: this,
    measure: (processes) => this.#measure(processes),
  });

  acquire(): void {
    this.wants += 1;
  }

  release(): void {
    this.wants -= 1;
  }

  fresh(): Promise<void> {
    return this.ready;
  }

  async occupants(): Promise<ReadonlyMap<string, readonly ProcessInfo[]>> {
    if (this.broken) throw new Error("processes cannot be read");
    const all = [...this.processes.values()];
    const inIt = (id: string) => all.filter(({ terminal }) => terminal === id);
    return new Map([...this.terminals].map((id) => [id, inIt(id).map(({ info }) => info)]));
  }

  begin(pid: number, terminal: string, use: Partial<Use> = {}): Use {
    const began = this.clock.monotonic();
    const info = processInfo(pid, { startTick: String(began) });
    const made = { terminal, info, began, ranMs: 0, memoryBytes: MIB, ...use };
    this.terminals.add(terminal);
    this.processes.set(pid, made);
    return made;
  }

  close(terminal: string): void {
    this.terminals.delete(terminal);
    for (const [pid, use] of this.processes) {
      if (use.terminal === terminal) this.processes.delete(pid);
    }
  }

  async read(sink = new TestSink()): Promise<{ sink: TestSink; reader: Reader }> {
    const reader = this.topics.connect(sink);
    (await reader.open("terminals.usage"))();
    return { sink, reader };
  }

  #measure: Measure = async (processes) => {
    const at = this.clock.monotonic();
    return new Map<number, Figures>(
      processes.flatMap(({ pid }) => {
        const use = this.processes.get(pid);
        if (use === undefined) return [];
        const { ranMs, memoryBytes, began } = use;
        return [[pid, { ranMs, memoryBytes, waitedMs: 0, ageMs: at - began, at }] as const];
      }),
    );
  };
}

/** The rows that a reader holds, without their instance. */
const rowsOf = ({ lines }: TestSink) =>
  [...(folded("terminals.usage", lines).get(INSTANCE)?.rows.values() ?? [])].map(
    ({ id, cpu_percent, memory_bytes }) => ({ id, cpu_percent, memory_bytes }),
  );

describe("the usage of terminals", () => {
  it("begins with an empty snapshot, and a terminal has a row with the second sample", async () => {
    const host = new Host();
    const polledAt = host.clock.now();
    const process = host.begin(10, "pty:a");
    const { sink } = await host.read();
    const [snapshot] = sink.taken();
    expect(snapshot).toMatchObject({ snapshot: true, epoch: EPOCH, seq: 0 });
    expect(snapshot?.data).toEqual({ usage: [], polled_at: polledAt });
    process.ranMs = 500;
    await host.clock.advance(2_000);
    const [change] = sink.taken();
    expect(isValid(TerminalsUsageFrame, change)).toBe(true);
    expect(change).toMatchObject({ prev_seq: 0, seq: 1 });
    expect(change?.data).toEqual({
      usage: [{ instance: INSTANCE, id: "pty:a", cpu_percent: 25, memory_bytes: MIB }],
      polled_at: polledAt + 2_000,
    });
  });

  it("is sampled once the sources have said which terminals there are", async () => {
    const host = new Host();
    let ready = () => {};
    host.ready = new Promise((resolve) => (ready = resolve));
    const reading = host.read();
    await settled();
    host.begin(10, "pty:a");
    ready();
    const { sink } = await reading;
    await host.clock.advance(2_000);
    expect(rowsOf(sink)).toHaveLength(1);
  });

  it("keeps nobody waiting for longer than a second, and follows when it can", async () => {
    const host = new Host();
    let ready = () => {};
    host.ready = new Promise((resolve) => (ready = resolve));
    host.begin(10, "pty:a");
    const reading = host.read();
    await host.clock.advance(1_000);
    const { sink } = await reading;
    expect(sink.taken()[0]?.data).toEqual({ usage: [] });
    ready();
    await host.clock.advance(4_000);
    expect(sink.taken().flatMap(({ data }) => (data as UsageFrame["data"]).usage)).toHaveLength(1);
  });

  it("travels only where it moved by a step", async () => {
    const host = new Host();
    const [quiet, busy] = [host.begin(10, "pty:a"), host.begin(20, "pty:b")];
    const { sink } = await host.read();
    await host.clock.advance(2_000);
    sink.taken();
    quiet.ranMs += 10;
    quiet.memoryBytes += MIB / 2;
    busy.ranMs += 2_000;
    await host.clock.advance(2_000);
    const [change, ...others] = sink.taken() as UsageFrame[];
    expect(others).toEqual([]);
    expect(change?.data.usage).toMatchObject([{ id: "pty:b", cpu_percent: 100 }]);
    busy.ranMs += 2_000;
    await host.clock.advance(2_000);
    expect(sink.taken()).toEqual([]);
  });

  it("is removed where its terminal is gone", async () => {
    const host = new Host();
    host.begin(10, "pty:a");
    host.begin(20, "pty:b");
    const { sink } = await host.read();
    await host.clock.advance(2_000);
    sink.taken();
    host.close("pty:a");
    await host.clock.advance(2_000);
    const [change] = sink.taken() as UsageFrame[];
    const removed = { instance: INSTANCE, id: "pty:a", removed: true, reason: "closed" };
    expect(change?.data.usage).toEqual([{ ...removed, removed_at: host.clock.now() }]);
    expect(isValid(TerminalsUsageFrame, change)).toBe(true);
  });

  it("is removed where the terminal's processes have ended", async () => {
    const host = new Host();
    host.begin(10, "pty:a");
    const { sink } = await host.read();
    await host.clock.advance(2_000);
    expect(rowsOf(sink)).toHaveLength(1);
    host.processes.clear();
    await host.clock.advance(2_000);
    expect(rowsOf(sink)).toEqual([]);
  });

  it("stands while processes cannot be read, and bookmarks say since when", async () => {
    const host = new Host();
    const began = host.clock.now();
    host.begin(10, "pty:a");
    const { sink } = await host.read();
    await host.clock.advance(2_000);
    host.broken = true;
    await host.clock.advance(8_000);
    const bookmark = sink.taken().at(-1) as UsageFrame;
    expect(bookmark).toMatchObject({ seq: 1, prev_seq: 1 });
    expect(bookmark.data).toEqual({ usage: [], polled_at: began + 2_000 });
    host.broken = false;
    await host.clock.advance(10_000);
    expect(sink.taken().at(-1)?.data).toEqual({ usage: [], polled_at: began + 20_000 });
  });

  it("is offered also where processes cannot be read from the first: nothing is known yet", async () => {
    const host = new Host();
    host.broken = true;
    const { sink } = await host.read();
    expect(sink.taken()[0]?.data).toEqual({ usage: [] });
  });

  it("is there at once for a second subscriber", async () => {
    const host = new Host();
    host.begin(10, "pty:a");
    await host.read();
    await host.clock.advance(2_000);
    const { sink } = await host.read();
    expect(rowsOf(sink)).toEqual([{ id: "pty:a", cpu_percent: 0, memory_bytes: MIB }]);
  });

  it("costs nothing without a subscriber, and begins anew with the next one", async () => {
    const host = new Host();
    host.begin(10, "pty:a");
    expect(host.wants).toBe(0);
    const [one, two] = [await host.read(), await host.read()];
    await host.clock.advance(3_000);
    expect(host.wants).toBe(1);
    one.reader.close("terminals.usage");
    expect(host.wants).toBe(1);
    two.reader.end();
    expect(host.wants).toBe(0);
    await host.clock.advance(1_000);
    expect(host.clock.pending).toBe(0);
    const { sink } = await host.read();
    expect(rowsOf(sink)).toEqual([]);
    expect(host.wants).toBe(1);
    await host.clock.advance(2_000);
    expect(rowsOf(sink)).toHaveLength(1);
  });

  it("ends with its publisher, and nothing follows", async () => {
    const host = new Host();
    host.begin(10, "pty:a");
    const { sink } = await host.read();
    await host.clock.advance(2_000);
    sink.taken();
    host.topic.end();
    host.topics.flush();
    const [change] = sink.taken() as UsageFrame[];
    expect(change?.data.usage).toMatchObject([{ id: "pty:a", reason: "instance_stopped" }]);
    await host.clock.advance(12_000);
    expect(sink.taken()).toEqual([]);
  });
});

it("a reader holds of every terminal what it uses, to a step, whatever its processes do", async () => {
  const terminal = fc.constantFrom("pty:a", "pty:b", "pty:c");
  const pid = fc.integer({ min: 2, max: 7 });
  const event = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("begin" as const), pid, terminal }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("use" as const),
        pid,
        ms: fc.integer({ min: 0, max: 1_000 }),
        mib: fc.integer({ min: 0, max: 900 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("end" as const), pid }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), terminal }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom("break" as const, "mend" as const) }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("sample" as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
      const host = new Host();
      const { sink } = await host.read();
      /** What each process had used at the last good sample, and the terminals that were in it. */
      let before = new Map<Use, number>();
      let sampled = new Set<string>();
      let sampledAt = 0;
      let expected = new Map<string, { cpu: number; memory: number }>();
      for (const step of events) {
        if (step.kind === "begin" && !host.processes.has(step.pid)) {
          await host.clock.advance(1);
          host.begin(step.pid, step.terminal);
        }
        const use = "pid" in step ? host.processes.get(step.pid) : undefined;
        if (step.kind === "use" && use) {
          use.ranMs += step.ms;
          use.memoryBytes = step.mib * MIB;
        }
        if (step.kind === "end") host.processes.delete(step.pid);
        if (step.kind === "close") host.close(step.terminal);
        if (step.kind === "break") host.broken = true;
        if (step.kind === "mend") host.broken = false;
        if (step.kind !== "sample") continue;
        const now = Math.floor(host.clock.monotonic() / 2_000) * 2_000 + 2_000;
        await host.clock.advance(now + 100 - host.clock.monotonic());
        if (host.broken) continue;
        const all = [...host.processes.values()];
        expected = new Map();
        for (const id of [...host.terminals].filter((id) => sampled.has(id))) {
          const inIt = all.filter(({ terminal }) => terminal === id);
          if (inIt.length === 0) continue;
          const ran = inIt.reduce((sum, use) => sum + use.ranMs - (before.get(use) ?? 0), 0);
          const memory = inIt.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
          expected.set(id, { cpu: (100 * ran) / (now - sampledAt), memory });
        }
        before = new Map(all.map((use) => [use, use.ranMs]));
        sampled = new Set(host.terminals);
        sampledAt = now;
        const rows = rowsOf(sink);
        expect(rows.map(({ id }) => id).toSorted()).toEqual([...expected.keys()].toSorted());
        for (const { id, cpu_percent, memory_bytes } of rows) {
          const { cpu = 0, memory = 0 } = expected.get(id) ?? {};
          const share = Math.max(1, cpu_percent * 0.05);
          expect(Math.abs(cpu_percent - Math.min(cpu, ALL_CORES))).toBeLessThan(share);
          expect(Math.abs(memory_bytes - memory)).toBeLessThan(Math.max(MIB, memory_bytes * 0.01));
        }
      }
    }),
    { numRuns: 400, interruptAfterTimeLimit: 4_000 },
  );
});

it("real processes are measured: one that is busy, one that holds memory, and what they leave behind is nothing", async () => {
  const table = createProcessTable({ clock: systemClock });
  const measure = createMeasure({ clock: systemClock, table });
  const busy = await run(process.execPath, [
    "-e",
    "const end = Date.now() + 30_000; while (Date.now() < end);",
  ]);
  const holder = await run(process.execPath, [
    "-e",
    `globalThis.held = Buffer.alloc(${128 * MIB}, 1); console.log("held"); setTimeout(() => {}, 30_000);`,
  ]);
  await holder.line();
  await measure([]);
  const descriptors = () => readdirSync("/proc/self/fd").length;
  const before = descriptors();
  const topics = new Topics({ clock: systemClock });
  offerUsage({
    topics,
    instance: INSTANCE,
    epoch: EPOCH,
    clock: systemClock,
    measure,
    observation: {
      acquire: () => {},
      release: () => {},
      fresh: async () => {},
      async occupants() {
        const snapshot = await table.sweep();
        const inIt = ({ pid }: { pid: number }) => [
          ...[snapshot.get(pid)].filter((process) => process !== undefined),
          ...snapshot.descendants(pid),
        ];
        return new Map([
          ["pty:busy", inIt(busy)],
          ["pty:holder", inIt(holder)],
        ]);
      },
    },
  });
  const sink = new TestSink();
  const reader = topics.connect(sink);
  afterThisTest(() => reader.end());
  const started = performance.now();
  (await reader.open("terminals.usage"))();
  await until(() => rowsOf(sink).length === 2);
  expect(performance.now() - started).toBeGreaterThan(1_900);
  const rows = new Map(rowsOf(sink).map((row) => [row.id, row]));
  // How much it gets of a processor depends on what else the machine does.
  expect(rows.get("pty:busy")?.cpu_percent).toBeGreaterThan(5);
  expect(rows.get("pty:busy")?.cpu_percent).toBeLessThanOrEqual(110);
  expect(rows.get("pty:holder")?.cpu_percent).toBeLessThan(20);
  expect(rows.get("pty:holder")?.memory_bytes).toBeGreaterThan(128 * MIB);
  expect(rows.get("pty:holder")?.memory_bytes).toBeLessThan(400 * MIB);
  reader.end();
  await until(() => descriptors() === before);
});
