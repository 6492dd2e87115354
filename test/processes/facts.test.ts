import { describe, expect, test } from "vitest";
import { ProcessFacts } from "../../src/processes/facts.ts";
import { FakeClock } from "../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../lib/fake-table.ts";

function known() {
  const clock = new FakeClock();
  const table = new FakeTable();
  const facts = new ProcessFacts(table, clock);
  const reads = (pid = 10) => table.argvReads.get(pid) ?? 0;
  return { clock, table, facts, reads };
}

describe("what is known of a process", () => {
  test("is read anew as long as the process is new to us, and remembered from then on", async () => {
    const { clock, table, facts, reads } = known();
    const process = table.set(processInfo(10), { argv: ["sh"] });
    expect(facts.argv(process)).toEqual(["sh"]);
    table.set(process, { argv: ["sh", "-c", "x"] });
    await clock.advance(999);
    expect(facts.argv(process)).toEqual(["sh", "-c", "x"]);
    await clock.advance(1);
    facts.argv(process);
    const before = reads();
    facts.argv(process);
    facts.prune();
    facts.argv(process);
    expect(reads()).toBe(before);
  });

  test("is not remembered from a look in the midst of exec, however late the next look comes", async () => {
    const { clock, table, facts } = known();
    const process = table.set(processInfo(10), { argv: [] });
    expect(facts.argv(process)).toEqual([]);
    facts.prune();
    table.set(process, { argv: ["claude"] });
    await clock.advance(10_000);
    expect(facts.argv(process)).toEqual(["claude"]);
  });

  test("is read anew when the process is called otherwise, and is new to us again then", async () => {
    const { clock, table, facts } = known();
    const shell = table.set(processInfo(10, { name: "sh" }), { argv: ["sh"] });
    facts.argv(shell);
    await clock.advance(5_000);
    facts.argv(shell);
    const agent = table.set({ ...shell, name: "claude" }, { argv: [] });
    expect(facts.argv(agent)).toEqual([]);
    await clock.advance(5_000);
    table.set(agent, { argv: ["claude"] });
    expect(facts.argv(agent)).toEqual(["claude"]);
  });

  test("is another's when the number was given to another process", async () => {
    const { clock, table, facts } = known();
    const one = table.set(processInfo(10), { argv: ["one"] });
    facts.argv(one);
    await clock.advance(5_000);
    facts.argv(one);
    const other = table.set({ ...one, startTick: "99999" }, { argv: ["other"] });
    expect(facts.argv(other)).toEqual(["other"]);
  });

  test("is forgotten when nobody asked for it between two clearings", async () => {
    const { clock, table, facts, reads } = known();
    const process = table.set(processInfo(10), { argv: ["sh"] });
    facts.argv(process);
    await clock.advance(5_000);
    facts.argv(process);
    facts.prune();
    facts.prune();
    const before = reads();
    facts.argv(process);
    expect(reads()).toBe(before + 1);
  });

  test("is an empty argv where that cannot be read", () => {
    const { facts } = known();
    expect(facts.argv(processInfo(10))).toEqual([]);
  });

  test("is no directory where that was deleted, cannot be read or is longer than is stated", () => {
    const { table, facts } = known();
    const process = processInfo(10);
    for (const [cwd, stated] of [
      [{ path: "/src", deleted: false }, "/src"],
      [{ path: "/src", deleted: true }, undefined],
      [{ path: `/${"x".repeat(5_000)}`, deleted: false }, undefined],
    ] as const) {
      table.set(process, { cwd });
      expect(facts.cwd(process)).toBe(stated);
    }
    table.set(process);
    expect(facts.cwd(process)).toBeUndefined();
  });
});
