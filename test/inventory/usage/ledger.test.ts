import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Figures } from "../../../src/inventory/usage/figures.ts";
import { UsageLedger } from "../../../src/inventory/usage/ledger.ts";
import { processInfo } from "../../lib/fake-table.ts";

const MIB = 1_048_576;

/** A process of a made-up host: who it is, where it is, and what it had used when it was measured. */
interface Made extends Partial<Figures> {
  readonly pid: number;
  readonly parent?: number;
  readonly startTick?: string;
  /** Default `a`. */
  readonly terminal?: string;
  /** It ended before it was measured, or may not be read. */
  readonly unmeasured?: true;
}

/** Takes in one sample after another, each at its time in milliseconds. */
class Host {
  readonly ledger = new UsageLedger(4);

  sample(at: number, processes: readonly Made[], empty: readonly string[] = []) {
    const occupants = new Map<string, ReturnType<typeof processInfo>[]>();
    for (const id of empty) occupants.set(id, []);
    const figures = new Map<number, Figures>();
    for (const {
      pid,
      parent = 1,
      startTick = "1",
      terminal = "a",
      unmeasured,
      ...used
    } of processes) {
      const there = occupants.get(terminal) ?? [];
      occupants.set(terminal, [...there, processInfo(pid, { parent, startTick })]);
      if (unmeasured) continue;
      const nothing = { ranMs: 0, waitedMs: 0, memoryBytes: 0, ageMs: 60_000, at };
      figures.set(pid, { ...nothing, ...used });
    }
    return this.ledger.take({ at, occupants, figures });
  }

  /** The per cent of terminal `a`. */
  percent(at: number, processes: readonly Made[]): number | undefined {
    return this.sample(at, processes).get("a")?.cpuPercent;
  }
}

describe("what a terminal uses", () => {
  it("is known with the second sample that has it", () => {
    const host = new Host();
    expect(host.sample(1_000, [{ pid: 10 }])).toEqual(new Map([["a", undefined]]));
    const used = host.sample(3_000, [{ pid: 10 }, { pid: 20, terminal: "b" }]);
    expect(used).toEqual(
      new Map([
        ["a", { cpuPercent: 0, memoryBytes: 0 }],
        ["b", undefined],
      ]),
    );
  });

  it("is the time that all its processes ran for, by the time between the samples", () => {
    const host = new Host();
    host.sample(1_000, [
      { pid: 10, ranMs: 500 },
      { pid: 11, ranMs: 9_000 },
    ]);
    expect(
      host.percent(3_000, [
        { pid: 10, ranMs: 1_500 },
        { pid: 11, ranMs: 11_000 },
      ]),
    ).toBe(150);
  });

  it("is the memory that its processes have now, together", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10, memoryBytes: 100 * MIB }]);
    const used = host.sample(2_000, [
      { pid: 10, memoryBytes: 3 * MIB },
      { pid: 11, memoryBytes: 4 * MIB },
      { pid: 20, terminal: "b", memoryBytes: 50 * MIB },
    ]);
    expect(used.get("a")?.memoryBytes).toBe(7 * MIB);
  });

  it("is measured by each process's own clock where measuring takes a while", () => {
    const host = new Host();
    host.sample(0, [
      { pid: 10, at: 0 },
      { pid: 11, at: 500 },
    ]);
    const now = [
      { pid: 10, at: 2_000, ranMs: 2_000 },
      { pid: 11, at: 4_500, ranMs: 4_000 },
    ];
    expect(host.percent(2_000, now)).toBe(200);
  });

  it("is not asked where no process is in it", () => {
    const host = new Host();
    host.sample(0, [], ["a"]);
    expect(host.sample(2_000, [], ["a"])).toEqual(new Map());
    const { cpuPercent } = host.sample(4_000, [{ pid: 10, ageMs: 500, ranMs: 500 }]).get("a") ?? {};
    expect(cpuPercent).toBe(25);
  });

  it("is not known where none of its processes could be measured, and then counted over the longer time", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10, ranMs: 0 }]);
    expect(host.percent(2_000, [{ pid: 10, unmeasured: true }])).toBeUndefined();
    expect(host.percent(4_000, [{ pid: 10, ranMs: 2_000 }])).toBe(50);
  });

  it("is that of the others where one process ended while it was measured", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10 }, { pid: 11 }]);
    expect(
      host.percent(2_000, [
        { pid: 10, ranMs: 1_000 },
        { pid: 11, unmeasured: true },
      ]),
    ).toBe(50);
  });

  it("begins anew where the terminal was gone", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10 }]);
    host.sample(2_000, []);
    expect(host.percent(4_000, [{ pid: 10, ranMs: 4_000 }])).toBeUndefined();
  });
});

describe("a process that is new in a terminal", () => {
  it("counts from its beginning where that was after the last sample", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10 }]);
    const child = { pid: 11, parent: 10, ageMs: 800, ranMs: 700, waitedMs: 300 };
    expect(host.percent(2_000, [{ pid: 10 }, child])).toBe(50);
  });

  it("counts from its next sample where it is older", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10 }]);
    const moved = { pid: 11, ageMs: 2_000, ranMs: 2_000 };
    expect(host.percent(2_000, [{ pid: 10 }, moved])).toBe(0);
    expect(host.percent(4_000, [{ pid: 10 }, { ...moved, ranMs: 3_000, ageMs: 4_000 }])).toBe(50);
  });

  it("counts from its next sample where it came from another terminal", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10 }, { pid: 11, terminal: "b", ranMs: 5_000 }]);
    expect(host.percent(2_000, [{ pid: 10 }, { pid: 11, ranMs: 7_000 }])).toBe(0);
    expect(host.percent(4_000, [{ pid: 10 }, { pid: 11, ranMs: 8_000 }])).toBe(50);
  });

  it("is not the one that had its number", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10 }, { pid: 11, ranMs: 100 }]);
    const other = { pid: 11, startTick: "2", ageMs: 500, ranMs: 400 };
    expect(host.percent(2_000, [{ pid: 10 }, other])).toBe(20);
  });
});

describe("a process that has ended", () => {
  it("counts once its parent has waited for it, less what it was counted for while it lived", () => {
    const host = new Host();
    host.sample(0, [
      { pid: 10, waitedMs: 5_000 },
      { pid: 11, parent: 10, ranMs: 3_000 },
    ]);
    // It ran for another second before it ended.
    expect(host.percent(2_000, [{ pid: 10, waitedMs: 9_000 }])).toBe(50);
  });

  it("counts where it began and ended between two samples", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10 }]);
    expect(host.percent(2_000, [{ pid: 10, waitedMs: 1_800 }])).toBe(90);
  });

  it("counts with what it had waited for, at the nearest ancestor that is left", () => {
    const host = new Host();
    host.sample(0, [
      { pid: 10 },
      { pid: 11, parent: 10, ranMs: 100, waitedMs: 1_000 },
      { pid: 12, parent: 11, ranMs: 2_000 },
    ]);
    expect(host.percent(2_000, [{ pid: 10, waitedMs: 4_100 }])).toBe(50);
  });

  it("does not count at a parent in another terminal for what it used in its own", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10 }, { pid: 11, parent: 10, terminal: "b", ranMs: 3_600_000 }]);
    expect(host.percent(2_000, [{ pid: 10, waitedMs: 3_600_000 }])).toBe(0);
  });

  it("takes nothing from the others where nobody waited for it", () => {
    const host = new Host();
    host.sample(0, [{ pid: 10 }, { pid: 11, parent: 10, ranMs: 3_000 }]);
    expect(host.percent(2_000, [{ pid: 10, ranMs: 1_000 }])).toBe(50);
  });

  it("is looked for once where parents form a circle", () => {
    const host = new Host();
    host.sample(0, [
      { pid: 10 },
      { pid: 11, parent: 12, ranMs: 5 },
      { pid: 12, parent: 13, ranMs: 5 },
      { pid: 13, parent: 12, ranMs: 5 },
    ]);
    expect(host.percent(2_000, [{ pid: 10 }])).toBe(0);
  });
});

it("whatever the figures say, a share is between nothing and all processors, and memory is not negative", () => {
  const number = fc.oneof(
    fc.double({ min: -1e12, max: 1e15, noNaN: true }),
    fc.integer({ min: -10, max: 10_000 }),
  );
  const made = fc.record({
    pid: fc.integer({ min: 1, max: 8 }),
    parent: fc.integer({ min: 0, max: 8 }),
    startTick: fc.constantFrom("1", "2"),
    terminal: fc.constantFrom("a", "b", "c"),
    ranMs: number,
    waitedMs: number,
    memoryBytes: number,
    ageMs: number,
    at: number,
  });
  const samples = fc.array(fc.tuple(number, fc.array(made, { maxLength: 8 })), { maxLength: 6 });
  fc.assert(
    fc.property(samples, (all) => {
      const host = new Host();
      for (const [at, processes] of all) {
        for (const used of host.sample(at, processes).values()) {
          if (used === undefined) continue;
          expect(used.cpuPercent).toBeGreaterThanOrEqual(0);
          expect(used.cpuPercent).toBeLessThanOrEqual(400);
          expect(used.memoryBytes).toBeGreaterThanOrEqual(0);
          expect(used.memoryBytes).toBeLessThan(Number.POSITIVE_INFINITY);
        }
      }
    }),
    { numRuns: 500 },
  );
});

/** One terminal of a host that keeps account of everything: processes begin others, run and end, and whoever began one
 * waits for it. */
class Simulation {
  readonly host = new UsageLedger(Number.MAX_SAFE_INTEGER);
  readonly processes = new Map<
    number,
    { parent: number; began: number; ran: number; waited: number }
  >();
  now = 0;
  #lastPid = 1;
  #sampledAt = 0;
  /** What all have run for since the first sample, and what was counted of it. */
  ran = 0;
  counted = 0;

  constructor() {
    this.begin(0);
    this.sample();
    this.ran = 0;
  }

  begin(parent: number): void {
    this.#lastPid += 1;
    this.processes.set(this.#lastPid, { parent, began: this.now, ran: 0, waited: 0 });
  }

  run(pid: number, ms: number): void {
    const process = this.processes.get(pid);
    if (process === undefined) return;
    process.ran += ms;
    this.ran += ms;
  }

  /** Those that it began itself end first, so that all are waited for. The first one never ends. */
  end(pid: number): void {
    const process = this.processes.get(pid);
    const parent = process && this.processes.get(process.parent);
    if (process === undefined || parent === undefined) return;
    for (const [child, { parent }] of this.processes) if (parent === pid) this.end(child);
    this.processes.delete(pid);
    parent.waited += process.ran + process.waited;
  }

  sample(): void {
    const at = this.now;
    const all = [...this.processes];
    const occupants = all.map(([pid, { parent }]) => processInfo(pid, { parent }));
    const figures = new Map(
      all.map(([pid, { began, ran, waited }]) => [
        pid,
        { ranMs: ran, waitedMs: waited, memoryBytes: 1, ageMs: at - began, at },
      ]),
    );
    const used = this.host.take({ at, occupants: new Map([["a", occupants]]), figures }).get("a");
    this.counted += ((used?.cpuPercent ?? 0) / 100) * (at - this.#sampledAt);
    this.#sampledAt = at;
  }
}

it("what the processes of a terminal run for is counted once, whichever of them begin and end and when", () => {
  const event = fc.record({
    kind: fc.constantFrom("begin", "run", "run", "end", "sample"),
    which: fc.nat(20),
    ms: fc.integer({ min: 1, max: 5_000 }),
  });
  fc.assert(
    fc.property(fc.array(event, { minLength: 40, maxLength: 120 }), (events) => {
      const simulation = new Simulation();
      for (const { kind, which, ms } of events) {
        simulation.now += 10;
        const pids = [...simulation.processes.keys()];
        const pid = pids[which % pids.length] ?? 0;
        if (kind === "begin") simulation.begin(pid);
        if (kind === "run") simulation.run(pid, ms);
        if (kind === "end") simulation.end(pid);
        if (kind === "sample") simulation.sample();
      }
      simulation.now += 10;
      simulation.sample();
      expect(simulation.counted).toBeCloseTo(simulation.ran, 3);
    }),
    { numRuns: 500 },
  );
});
