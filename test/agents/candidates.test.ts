import { describe, expect, test } from "vitest";
import { type Candidate, runsAmong } from "../../src/agents/candidates.ts";
import { ProcessFacts } from "../../src/processes/facts.ts";
import type { ProcessInfo } from "../../src/processes/types.ts";
import { FakeClock } from "../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../lib/fake-table.ts";

interface Shape {
  readonly parent?: number;
  readonly group?: number;
  readonly argv?: string[];
  readonly name?: string;
  readonly isItself?: boolean;
  readonly command?: string[];
  readonly startTick?: string;
  /** A process of another program in between. */
  readonly isOther?: boolean;
}

const NOW = 1_700_000_000_000;
const tickAt = (at: number) => String((at - 1_600_000_000_000) / 10);

/** Which of these processes are runs, by their pids. */
function runs(shapes: Record<number, Shape>): number[] {
  const table = new FakeTable();
  const facts = new ProcessFacts(table, new FakeClock(NOW));
  const candidates: Candidate[] = [];
  for (const [key, shape] of Object.entries(shapes)) {
    const { name = "agent", isItself = true, argv = [name], command = argv, isOther } = shape;
    const fields: Partial<ProcessInfo> = {
      parent: shape.parent ?? 1,
      group: shape.group ?? Number(key),
      ...(shape.startTick === undefined ? {} : { startTick: shape.startTick }),
    };
    const process = table.set(processInfo(Number(key), fields), { argv });
    if (isOther !== true) candidates.push({ process, program: { name, isItself, command } });
  }
  const found = runsAmong(candidates, { snapshot: table.snapshot(), facts, now: NOW });
  return found.map(({ process }) => process.pid);
}

const launcher = (parent = 1, argv = ["node", "/usr/bin/agent"]): Shape => ({
  parent,
  argv,
  isItself: false,
  command: ["agent"],
});

describe("a run is", () => {
  test("every process of the program", () => {
    expect(runs({ 10: {}, 20: {} })).toEqual([10, 20]);
  });

  test("the program, and not what has led to it, however far above", () => {
    expect(runs({ 10: launcher(), 11: { parent: 10 } })).toEqual([11]);
    expect(
      runs({
        9: launcher(1, ["sudo", "agent"]),
        10: launcher(9),
        11: { parent: 10, isOther: true, argv: ["sh"] },
        12: { parent: 11 },
      }),
    ).toEqual([12]);
  });

  test("what a runtime runs, where the program is no more than that", () => {
    expect(runs({ 10: launcher() })).toEqual([10]);
    expect(runs({ 9: launcher(1, ["npx", "agent"]), 10: launcher(9) })).toEqual([10]);
  });

  test("a tool of another run too, in which the program runs with other arguments", () => {
    const tool: Shape = { ...launcher(10), command: ["agent", "exec", "task"] };
    expect(runs({ 10: launcher(), 11: tool })).toEqual([10, 11]);
    expect(runs({ 10: {}, 11: { parent: 10, argv: ["agent", "exec"] } })).toEqual([10, 11]);
  });

  test("a launcher's program, and the tool that this has started by another launcher", () => {
    expect(
      runs({
        10: launcher(),
        11: { parent: 10, argv: ["/opt/agent"] },
        12: { parent: 11, isOther: true, argv: ["sh"] },
        13: { ...launcher(12), command: ["agent", "exec"] },
        14: { parent: 13, argv: ["/opt/agent", "exec"] },
      }),
    ).toEqual([11, 14]);
  });

  test("not led to by another program's launcher", () => {
    const other: Shape = { ...launcher(), name: "other" };
    expect(runs({ 10: other, 11: { parent: 10 } })).toEqual([10, 11]);
  });
});

describe("a copy of a run is no run", () => {
  test("while it may be about to run something else", () => {
    const young = { parent: 10, startTick: tickAt(NOW - 500) };
    expect(runs({ 10: {}, 11: young })).toEqual([10]);
    expect(runs({ 10: {}, 11: { ...young, startTick: tickAt(NOW - 1_000) } })).toEqual([10, 11]);
  });

  test("for as long as it is of the same job", () => {
    expect(runs({ 10: {}, 11: { parent: 10, group: 10 } })).toEqual([10]);
    expect(runs({ 10: {}, 11: { parent: 10, group: 10, argv: ["agent", "-p"] } })).toEqual([
      10, 11,
    ]);
  });

  test("and does not make a launcher of what it is a copy of", () => {
    expect(runs({ 10: launcher(), 11: { ...launcher(10), group: 10 } })).toEqual([10]);
  });
});

test("a circle of parents, as a number that is reused while they are read makes one, is walked once", () => {
  const circle = { 10: { parent: 11, argv: ["a"] }, 11: { parent: 10, argv: ["b"] } };
  expect(runs(circle)).toEqual([10, 11]);
});
