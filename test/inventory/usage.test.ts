import { describe, expect, it } from "vitest";
import type { Figures } from "../../src/inventory/usage/figures.ts";
import { UsageSampler, type UsageSamplerOptions } from "../../src/inventory/usage.ts";
import type { ProcessInfo } from "../../src/processes/types.ts";
import { FakeClock, settled } from "../lib/fake-clock.ts";
import { processInfo } from "../lib/fake-table.ts";

const MIB = 1_048_576;

/** A made-up host with terminals of one process each, and what the sampler says of it. */
class Host {
  readonly clock = new FakeClock();
  /** How long each terminal's process has run for, by the terminal's id. */
  readonly ran = new Map<string, number>();
  readonly rows: Record<string, number>[] = [];
  readonly polled: number[] = [];
  readonly bookmarks: (number | undefined)[] = [];
  readonly outcomes: string[] = [];
  looks = 0;
  look: () => Promise<void> = async () => {};
  sampler: UsageSampler | undefined;

  start(options: Partial<UsageSamplerOptions> = {}): UsageSampler {
    const pids = new Map<string, number>();
    const pidOf = (id: string) => pids.get(id) ?? pids.set(id, pids.size + 1).size;
    this.sampler = new UsageSampler(
      {
        clock: this.clock,
        instance: "0123456789abcdef0123456789abcdef",
        cores: 4,
        occupants: async () => {
          this.looks += 1;
          await this.look();
          const ids = [...this.ran.keys()];
          return new Map<string, ProcessInfo[]>(ids.map((id) => [id, [processInfo(pidOf(id))]]));
        },
        measure: async () =>
          new Map<number, Figures>(
            Array.from(this.ran, ([id, ranMs]) => [
              pidOf(id),
              { ranMs, waitedMs: 0, memoryBytes: MIB, ageMs: 1e6, at: this.clock.monotonic() },
            ]),
          ),
        onSample: ({ outcome }) => this.outcomes.push(outcome),
        ...options,
      },
      {
        sampled: ({ rows, polledAt }) => {
          this.rows.push(Object.fromEntries(rows.map((row) => [row.id, row.cpu_percent])));
          this.polled.push(polledAt);
        },
        bookmark: (polledAt) => this.bookmarks.push(polledAt),
      },
    );
    return this.sampler;
  }
}

describe("samples", () => {
  it("begin at once and then every two seconds, and a terminal has a row with its second", async () => {
    const host = new Host();
    const began = host.clock.now();
    host.ran.set("pty:a", 0);
    host.start();
    await settled();
    expect(host.rows).toEqual([{}]);
    host.ran.set("pty:a", 1_000).set("pty:b", 0);
    await host.clock.advance(2_000);
    expect(host.rows.at(-1)).toEqual({ "pty:a": 50 });
    host.ran.set("pty:b", 3_000);
    await host.clock.advance(2_000);
    expect(host.rows.at(-1)).toEqual({ "pty:a": 0, "pty:b": 150 });
    host.ran.delete("pty:a");
    await host.clock.advance(2_000);
    expect(host.rows.at(-1)).toEqual({ "pty:b": 0 });
    expect(host.polled).toEqual([0, 2_000, 4_000, 6_000].map((ms) => began + ms));
  });

  it("never overlap: one that takes long delays the next, by as long as it took", async () => {
    const host = new Host();
    let answer = () => {};
    host.look = () => new Promise((resolve) => (answer = resolve));
    host.start();
    await host.clock.advance(5_000);
    expect(host.looks).toBe(1);
    answer();
    await host.clock.advance(4_999);
    expect(host.looks).toBe(1);
    await host.clock.advance(1);
    expect(host.looks).toBe(2);
  });

  it("that fail leave what was stated, and count the longer time when one succeeds", async () => {
    const host = new Host();
    host.ran.set("pty:a", 0);
    host.start();
    await host.clock.advance(2_000);
    host.look = () => Promise.reject(new Error("no descriptor left"));
    await host.clock.advance(2_000);
    expect(host.outcomes).toEqual(["rows", "rows", "failing"]);
    expect(host.rows).toHaveLength(2);
    host.look = async () => {};
    host.ran.set("pty:a", 1_000);
    await host.clock.advance(2_000);
    expect(host.rows.at(-1)).toEqual({ "pty:a": 25 });
  });

  it("that measure nothing of a terminal leave its row", async () => {
    const host = new Host();
    host.ran.set("pty:a", 0);
    let measured = true;
    const figures = { ranMs: 0, waitedMs: 0, memoryBytes: MIB, ageMs: 1e6 };
    host.start({
      measure: async () =>
        new Map(measured ? [[1, { ...figures, at: host.clock.monotonic() }]] : []),
    });
    await host.clock.advance(2_000);
    expect(host.rows.at(-1)).toEqual({ "pty:a": 0 });
    measured = false;
    await host.clock.advance(2_000);
    expect(host.rows).toHaveLength(3);
    expect(host.rows.at(-1)).toEqual({ "pty:a": 0 });
  });

  it("are said to go on every ten seconds, with when the last good one began", async () => {
    const host = new Host();
    const began = host.clock.now();
    host.start();
    await host.clock.advance(19_999);
    expect(host.bookmarks).toEqual([began + 10_000]);
    host.look = () => Promise.reject(new Error("no descriptor left"));
    await host.clock.advance(10_001);
    expect(host.bookmarks).toEqual([began + 10_000, began + 18_000, began + 18_000]);
  });
});

describe("a sampler that is stopped", () => {
  it("leaves no timer", async () => {
    const host = new Host();
    host.start();
    await host.clock.advance(3_000);
    expect(host.clock.pending).toBe(1);
    host.sampler?.stop();
    expect(host.clock.pending).toBe(0);
  });

  it("says nothing of the sample that was under way, and begins none", async () => {
    const host = new Host();
    let answer = () => {};
    host.look = () => new Promise((resolve) => (answer = resolve));
    const { begun } = host.start();
    await settled();
    host.sampler?.stop();
    await begun;
    answer();
    await host.clock.advance(10_000);
    expect(host.rows).toEqual([]);
    expect(host.outcomes).toEqual([]);
    expect(host.looks).toBe(1);
    expect(host.clock.pending).toBe(0);
  });
});
