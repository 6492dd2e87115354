import { expect, test } from "vitest";
import { LivePids } from "../../../src/agents/claude/pids.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";

/** Counts how often it is asked for newcomers. */
class CountingTable extends FakeTable {
  asked = 0;

  override newcomers(known: ReadonlySet<number>) {
    this.asked += 1;
    return super.newcomers(known);
  }
}

test("of numbers those are told that processes have, also what began since the last sweep", () => {
  const table = new CountingTable();
  table.set(processInfo(7));
  const pids = new LivePids(table);
  pids.see(table.snapshot());
  expect(pids.among([7])).toEqual([7]);
  expect(table.asked).toBe(0);
  table.set(processInfo(8));
  expect(pids.among([9, 8, 7])).toEqual([8, 7]);
  // However many numbers are nobody's, the system is asked once.
  expect(pids.among(Array.from({ length: 10_000 }, (_, index) => 100 + index))).toEqual([]);
  expect(table.asked).toBe(2);
});

test("numbers of processes that have ended are forgotten with the next sweep", () => {
  const table = new CountingTable();
  table.set(processInfo(7));
  const pids = new LivePids(table);
  expect(pids.among([7])).toEqual([7]);
  table.end(7);
  pids.see(table.snapshot());
  expect(pids.among([7])).toEqual([]);
});
