import { describe, expect, test } from "vitest";
import { Vigil } from "../../../src/inventory/vigil.ts";
import { ProcessFacts } from "../../../src/processes/facts.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";

const SRC = { cwd: { path: "/src", deleted: false } };

function watching() {
  const table = new FakeTable();
  const clock = new FakeClock();
  const vigil = new Vigil(table, new ProcessFacts(table, clock), clock);
  const shell = table.set(processInfo(10), SRC);
  return { clock, table, vigil, shell };
}

describe("the vigil over the processes of rows", () => {
  test("notices nothing as long as nothing differs", () => {
    const { vigil, shell } = watching();
    vigil.keep([shell], []);
    expect([vigil.look(), vigil.look()]).toEqual([false, false]);
  });

  test.each([
    ["another job in front", { foregroundGroup: 99 }],
    ["another program in the same process", { name: "claude" }],
    ["another process group", { group: 99 }],
    ["another terminal", { ttyDevice: 1 }],
  ])("notices %s, once", (_, change) => {
    const { table, vigil, shell } = watching();
    vigil.keep([], [shell]);
    table.set({ ...shell, ...change });
    expect([vigil.look(), vigil.look()]).toEqual([true, false]);
  });

  test("says nothing of a process that merely runs or sleeps", () => {
    const { table, vigil, shell } = watching();
    vigil.keep([shell], []);
    table.set({ ...shell, state: "R" }, SRC);
    expect(vigil.look()).toBe(false);
  });

  test("notices a change of directory of those whose directory is shown, and of no others", () => {
    const { table, vigil, shell } = watching();
    const other = table.set(processInfo(20), SRC);
    vigil.keep([shell], [shell, other]);
    table.set(other, { cwd: { path: "/tmp", deleted: false } });
    expect(vigil.look()).toBe(false);
    table.set(shell, { cwd: { path: "/tmp", deleted: false } });
    expect([vigil.look(), vigil.look()]).toEqual([true, false]);
    table.set(shell, { cwd: { path: "/tmp", deleted: true } });
    expect([vigil.look(), vigil.look()]).toEqual([true, false]);
  });

  test("says where a process was at the last look, and looks again where that is long ago", async () => {
    const { clock, table, vigil, shell } = watching();
    vigil.keep([shell], []);
    table.set(shell, { cwd: { path: "/tmp", deleted: false } });
    expect(vigil.cwdOf(shell)).toBe("/src");
    await clock.advance(1_000);
    expect(vigil.cwdOf(shell)).toBe("/tmp");
    table.set(shell, SRC);
    expect([vigil.look(), vigil.cwdOf(shell)]).toEqual([true, "/src"]);
  });

  test("notices the end of a process until it is told whom to watch instead", () => {
    const { table, vigil, shell } = watching();
    vigil.keep([shell], []);
    table.end(10);
    expect([vigil.look(), vigil.look()]).toEqual([true, true]);
    vigil.keep([], []);
    expect(vigil.look()).toBe(false);
  });

  test("notices the end of a process whose number was given to another", () => {
    const { table, vigil, shell } = watching();
    vigil.keep([shell], []);
    table.set({ ...shell, startTick: "99999" }, SRC);
    expect(vigil.look()).toBe(true);
  });

  test("notices that a process had ended before it could be watched", () => {
    const { table, vigil, shell } = watching();
    table.end(10);
    vigil.keep([shell], []);
    expect(vigil.look()).toBe(true);
    vigil.keep([], []);
    expect(vigil.look()).toBe(false);
  });

  test("does not look for a process that lives and cannot be held", () => {
    const { table, vigil, shell } = watching();
    table.hold = () => undefined;
    vigil.keep([shell], []);
    expect(vigil.look()).toBe(false);
  });

  test("holds each process once, for as long as it is watched", () => {
    const { table, vigil, shell } = watching();
    const other = table.set(processInfo(20), SRC);
    vigil.keep([shell, shell], [shell, other]);
    expect(table.held).toBe(2);
    vigil.keep([other], [shell]);
    expect(table.held).toBe(2);
    vigil.keep([other], []);
    expect(table.held).toBe(1);
    vigil.stop();
    expect(table.held).toBe(0);
  });

  test("lets go of what it held even if the processes cannot be read just then", () => {
    const { table, vigil, shell } = watching();
    const others = [20, 30, 40].map((pid) => table.set(processInfo(pid), SRC));
    vigil.keep([shell, ...others], []);
    table.end(10);
    const fresh = table.set(processInfo(50));
    const cwd = table.cwd.bind(table);
    table.cwd = (pid) => {
      if (pid === 50) throw new Error("EMFILE");
      return cwd(pid);
    };
    expect(() => vigil.keep([others[0] as typeof shell, fresh], [])).toThrow("EMFILE");
    vigil.stop();
    expect(table.held).toBe(0);
  });
});
