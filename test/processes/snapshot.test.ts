import { describe, expect, it } from "vitest";
import { createSnapshot } from "../../src/processes/snapshot.ts";
import type { ProcessInfo } from "../../src/processes/types.ts";

const process = (pid: number, parent: number, more: Partial<ProcessInfo> = {}): ProcessInfo => ({
  pid,
  parent,
  group: pid,
  session: pid,
  ttyDevice: 0,
  tty: undefined,
  foregroundGroup: -1,
  state: "S",
  startTick: "1",
  name: "x",
  ...more,
});

const pids = (processes: Iterable<ProcessInfo>) => [...processes].map(({ pid }) => pid);

describe("a snapshot", () => {
  it("walks from a process to its children's children, nearest first", () => {
    const snapshot = createSnapshot(0, [
      process(4, 3),
      process(1, 0),
      process(3, 2),
      process(2, 1),
      process(5, 2),
      process(9, 8),
    ]);
    expect(pids(snapshot.children(2))).toEqual([3, 5]);
    expect(pids(snapshot.descendants(2))).toEqual([3, 5, 4]);
    expect(pids(snapshot.children(7))).toEqual([]);
    expect(pids(snapshot.descendants(9))).toEqual([]);
  });

  it("ends a walk although numbers that were reused close a circle", () => {
    const snapshot = createSnapshot(0, [
      process(1, 3),
      process(2, 1),
      process(3, 2),
      process(4, 4),
    ]);
    expect(pids(snapshot.descendants(1))).toEqual([2, 3]);
    expect(pids(snapshot.descendants(4))).toEqual([]);
  });

  it("groups by tty and by process group, and knows nobody on no tty", () => {
    const snapshot = createSnapshot(5, [
      process(1, 0),
      process(2, 1, { ttyDevice: 34816 }),
      process(3, 2, { ttyDevice: 34816, group: 2 }),
      process(4, 2, { ttyDevice: 34817 }),
    ]);
    expect(pids(snapshot.onTty(34816))).toEqual([2, 3]);
    expect(pids(snapshot.onTty(0))).toEqual([]);
    expect(pids(snapshot.inGroup(2))).toEqual([2, 3]);
    expect(pids(snapshot.inGroup(3))).toEqual([]);
    expect(snapshot.get(4)?.ttyDevice).toBe(34817);
    expect(snapshot.get(7)).toBeUndefined();
    expect(pids(snapshot.all())).toEqual([1, 2, 3, 4]);
    expect(snapshot.takenAt).toBe(5);
  });
});
