import { describe, expect, test } from "vitest";
import { jobName, otherJobInFront } from "../../../src/inventory/front.ts";
import { ProcessFacts } from "../../../src/processes/facts.ts";
import { createSnapshot } from "../../../src/processes/snapshot.ts";
import type { ProcessInfo } from "../../../src/processes/types.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";

const front = (owner: ProcessInfo, root: ProcessInfo, ...others: ProcessInfo[]) =>
  otherJobInFront(owner, root, createSnapshot(0, [root, owner, ...others]));

const shell = (foregroundGroup: number) => processInfo(10, { foregroundGroup });
const agent = (foregroundGroup: number) =>
  processInfo(20, { parent: 10, session: 10, foregroundGroup });

describe("another job in front", () => {
  test("of a shell is any but its own", () => {
    expect(front(shell(10), shell(10))).toBeUndefined();
    expect(front(shell(30), shell(30))).toBe(30);
  });

  test("of a suspended agent is its shell's", () => {
    expect(front(agent(20), shell(20))).toBeUndefined();
    expect(front(agent(10), shell(10))).toBe(10);
  });

  test("of a process behind a wrapper is none while both are in front, each where it is", () => {
    const script = processInfo(15, { parent: 10, session: 10, foregroundGroup: 15 });
    const behind = (foregroundGroup: number) =>
      processInfo(20, { parent: 15, tty: "/dev/pts/2", foregroundGroup });
    expect(front(behind(20), shell(15), script)).toBeUndefined();
    expect(front(behind(40), shell(15), script)).toBe(40);
    expect(front(behind(20), shell(10), script)).toBeUndefined();
    expect(front(behind(20), shell(30), script)).toBe(30);
  });

  test("is none where the kernel tells of no terminal", () => {
    const bare = processInfo(10, { tty: undefined });
    expect(front(bare, bare)).toBeUndefined();
  });
});

describe("the name of a job", () => {
  const table = new FakeTable();
  const facts = new ProcessFacts(table, new FakeClock());
  const member = (pid: number, argv: string[], fields: Partial<ProcessInfo> = {}) =>
    table.set(processInfo(pid, { group: 30, name: "kernel-name", ...fields }), { argv });

  test("is its leader's program", () => {
    const [first, leader] = [member(29, ["a"]), member(30, ["/usr/bin/vim", "claude"])];
    expect(jobName(30, createSnapshot(0, [first, leader]), facts)).toBe("vim");
  });

  test("is its oldest process's where the leader has ended, by the kernel's name where there is no argv", () => {
    const younger = member(41, ["b"], { startTick: "20" });
    const older = member(42, [], { startTick: "9" });
    expect(jobName(30, createSnapshot(0, [younger, older]), facts)).toBe("kernel-name");
    expect(jobName(99, createSnapshot(0, [younger, older]), facts)).toBeUndefined();
  });
});
