import { describe, expect, test } from "vitest";
import { VerifiedRuns } from "../../../src/agents/upstream/verified.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";
import { agent, beginningOf, SID } from "./rows.ts";

function verifying() {
  const clock = new FakeClock();
  const table = new FakeTable();
  const verified = new VerifiedRuns(table, clock);
  return { clock, table, verified, pids: () => verified.runs().map(({ pid }) => pid) };
}

describe("a row of another publisher", () => {
  test("is stated with all that it says of the run, and the start of the live process", () => {
    const { table, verified } = verifying();
    const { startTick } = table.set(processInfo(10));
    const said = {
      sid: SID,
      name: "a",
      status: "waiting",
      status_at: 5,
      waiting_for: "b",
      state: "done",
      background_id: "c",
      terminal_id: "tmux:0/1",
      terminal_namespace: "d",
    };
    verified.take([agent(10, said)]);
    expect(verified.runs()).toEqual([
      {
        pid: 10,
        startTick,
        cwd: "/src",
        kind: "interactive",
        startedAt: beginningOf(10),
        configDir: "/home/ann/.claude",
        sid: SID,
        name: "a",
        status: "waiting",
        statusAt: 5,
        waitingFor: "b",
        state: "done",
        backgroundId: "c",
      },
    ]);
  });

  test("is none where no such process lives", () => {
    const { table, verified, pids } = verifying();
    table.set(processInfo(10));
    verified.take([agent(10), agent(11)]);
    expect(pids()).toEqual([10]);
  });

  test("with a start must have the very start of the process, whatever times it states", () => {
    const { table, verified, pids } = verifying();
    table.set(processInfo(10, { startTick: "77" }));
    verified.take([agent(10, { start_tick: "78" })]);
    expect(pids()).toEqual([]);
    verified.take([agent(10, { start_tick: "77", started_at: 0 })]);
    expect(pids()).toEqual([10]);
  });

  test.each([
    [-60_000, 0],
    [-2_001, 0],
    [-2_000, 1],
    [0, 1],
    [60_000, 1],
  ])(
    "without a start, stating %i ms from the process's beginning, is stated %i times",
    (ms, times) => {
      const { table, verified, pids } = verifying();
      table.set(processInfo(10));
      verified.take([agent(10, { started_at: beginningOf(10) + ms })]);
      expect(pids().length).toBe(times);
    },
  );

  test("without a start is none where it is not known when the process began", () => {
    const { table, verified, pids } = verifying();
    table.set(processInfo(10));
    table.startedAt = () => undefined;
    verified.take([agent(10)]);
    expect(pids()).toEqual([]);
    verified.take([agent(10, { start_tick: "1010" })]);
    expect(pids()).toEqual([10]);
  });

  test("keeps its object as long as it says the same", () => {
    const { table, verified } = verifying();
    table.set(processInfo(10));
    verified.take([agent(10)]);
    const [run] = verified.runs();
    verified.take([agent(10)]);
    expect(verified.runs()[0]).toBe(run);
    verified.take([agent(10, { status: "busy" })]);
    expect(verified.runs()[0]).toMatchObject({ status: "busy" });
  });
});

describe("a process that has ended", () => {
  test("is no run from the next look on, and not before one that shows it", () => {
    const { table, verified, pids } = verifying();
    table.set(processInfo(10));
    verified.take([agent(10)]);
    table.end(10);
    expect(pids()).toEqual([10]);
    verified.look();
    expect(pids()).toEqual([]);
  });

  test("is none either once all processes were read without it", () => {
    const { table, verified, pids } = verifying();
    table.set(processInfo(10));
    verified.take([agent(10)]);
    table.end(10);
    verified.see(table.snapshot());
    expect(pids()).toEqual([]);
  });

  test("comes back by nothing: not by what is stated on, an older look, or another with its number", () => {
    const { table, verified, pids } = verifying();
    const process = table.set(processInfo(10));
    const old = table.snapshot();
    verified.see(old);
    verified.take([agent(10)]);
    table.end(10);
    verified.look();
    verified.take([agent(10, { status: "busy" })]);
    verified.see(old);
    expect(pids()).toEqual([]);
    // Within the slack, so that its beginning does not give it away.
    table.set({ ...process, startTick: String(Number(process.startTick) + 50) });
    verified.see(table.snapshot());
    verified.look();
    verified.take([agent(10)]);
    expect(pids()).toEqual([]);
  });

  test("gives its number to another, which a later row is about", () => {
    const { table, verified } = verifying();
    table.set(processInfo(10));
    verified.take([agent(10)]);
    table.set(processInfo(10, { startTick: "5000" }));
    verified.see(table.snapshot());
    expect(verified.runs()).toEqual([]);
    verified.take([agent(10, { started_at: 1_600_000_050_000 })]);
    expect(verified.runs()).toMatchObject([{ pid: 10, startTick: "5000" }]);
  });
});

describe("a process that has begun", () => {
  test("since the processes were read is not lost with that reading", () => {
    const { table, verified, pids } = verifying();
    const before = table.snapshot();
    table.set(processInfo(10));
    verified.take([agent(10)]);
    verified.see(before);
    expect(pids()).toEqual([10]);
  });

  test("only after its row was stated is found with the next look", () => {
    const { table, verified, pids } = verifying();
    verified.take([agent(10), agent(11)]);
    table.set(processInfo(10));
    verified.look();
    expect(pids()).toEqual([10]);
    table.set(processInfo(11));
    verified.see(table.snapshot());
    expect(pids()).toEqual([10, 11]);
  });
});

describe("of many rows", () => {
  const crowd = Array.from({ length: 500 }, (_, index) => index + 1);

  /** A host on which each reading of a process takes a millisecond. */
  function slow() {
    const host = verifying();
    for (const pid of crowd) host.table.set(processInfo(pid));
    const read = host.table.read.bind(host.table);
    let reads = 0;
    host.clock.monotonic = () => reads;
    host.table.read = (pid) => {
      reads += 1;
      return read(pid);
    };
    return { ...host, reads: () => reads };
  }

  test("only as many are read at once as there is time for; the last look at all tells the rest", () => {
    const { table, verified, pids, reads } = slow();
    verified.take(crowd.map((pid) => agent(pid)));
    expect([reads(), pids().length]).toEqual([2, 2]);
    verified.see(table.snapshot());
    expect([reads(), pids().length]).toEqual([2, 500]);
    verified.take(crowd.map((pid) => agent(pid, { start_tick: String(1_000 + pid) })));
    expect([reads(), pids().length]).toEqual([4, 500]);
  });

  test("each has its turn", () => {
    const { table, verified, pids } = slow();
    verified.see(table.snapshot());
    verified.take(crowd.map((pid) => agent(pid)));
    for (const pid of crowd) table.end(pid);
    for (let look = 0; look < 249; look += 1) verified.look();
    expect(pids().length).toBeLessThanOrEqual(2);
    verified.look();
    expect(pids()).toEqual([]);
  });

  test("no more are kept than a host may have", () => {
    const { table, verified, pids } = verifying();
    const many = Array.from({ length: 5_000 }, (_, index) => index + 1);
    for (const pid of many) table.set(processInfo(pid));
    verified.take(many.map((pid) => agent(pid)));
    expect(pids().length).toBe(4_096);
  });
});
