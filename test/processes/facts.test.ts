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
    await facts.refresh(table.snapshot());
    facts.argv(process);
    expect(reads()).toBe(before);
  });

  test("is not remembered from a look in the midst of exec, however late the next look comes", async () => {
    const { clock, table, facts } = known();
    const process = table.set(processInfo(10), { argv: [] });
    expect(facts.argv(process)).toEqual([]);
    table.set(process, { argv: ["claude"] });
    await clock.advance(10_000);
    expect(facts.argv(process)).toEqual(["claude"]);
  });

  test("holds on when its argv is gone with its memory, as that of a process is which is about to end", async () => {
    const { table, facts } = known();
    const process = table.set(processInfo(10), { argv: ["claude"] });
    facts.argv(process);
    table.set(process, { argv: [] });
    await facts.refresh(table.snapshot());
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

  test("is forgotten with the process, once it is not in what was read", async () => {
    const { clock, table, facts, reads } = known();
    const process = table.set(processInfo(10), { argv: ["sh"] });
    facts.argv(process);
    await clock.advance(5_000);
    facts.argv(process);
    const before = reads();
    table.end(10);
    await facts.refresh(table.snapshot());
    table.set(process, { argv: ["sh"] });
    facts.argv(process);
    expect(reads()).toBe(before + 1);
  });

  test("is read once for all who ask until the processes are read again, however new it is", async () => {
    const { table, facts, reads } = known();
    const process = table.set(processInfo(10), { argv: ["sh"] });
    await facts.refresh(table.snapshot());
    table.set(process, { argv: ["claude"] });
    expect([facts.argv(process), facts.argv(process)]).toEqual([["sh"], ["sh"]]);
    expect(reads()).toBe(1);
    await facts.refresh(table.snapshot());
    expect(facts.argv(process)).toEqual(["claude"]);
  });

  test("is the same list as before as long as it says the same", async () => {
    const { table, facts } = known();
    const process = table.set(processInfo(10), { argv: ["sh"] });
    const before = facts.argv(process);
    table.set(process, { argv: ["sh"] });
    await facts.refresh(table.snapshot());
    expect(facts.argv(process)).toBe(before);
  });

  test("is its environment, read when a variable is first asked for, and again after an exec", async () => {
    const { table, facts } = known();
    const process = table.set(processInfo(10), { argv: ["sh"], environment: { A: "1" } });
    await facts.refresh(table.snapshot());
    expect([facts.variable(process, "A"), facts.variable(process, "B")]).toEqual(["1", undefined]);
    table.set(process, { argv: ["claude"], environment: { A: "2" } });
    await facts.refresh(table.snapshot());
    expect(facts.variable(process, "A")).toBe("2");
  });

  test("is an empty argv where that cannot be read", () => {
    const { facts } = known();
    expect(facts.argv(processInfo(10))).toEqual([]);
  });
});
