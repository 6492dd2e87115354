import { describe, expect, test } from "vitest";
import { isCalled, NamedWindows, windowsOf } from "../../../src/inventory/windows.ts";
import { ProcessFacts } from "../../../src/processes/facts.ts";
import type { ProcessInfo } from "../../../src/processes/types.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";

const ARGV = ["SCREEN", "-dmS", "work"];

/** A manager whose windows name themselves by the variable NUMBER. */
function managed() {
  const clock = new FakeClock();
  const table = new FakeTable();
  const manager = table.set(processInfo(100, { tty: undefined, name: "screen" }), { argv: ARGV });
  const named = new NamedWindows(manager, (window, facts) => facts.variable(window, "NUMBER"));
  const open = (pid: number, number: string | undefined, argv = ["sh"]) =>
    table.set(processInfo(pid, { parent: 100, tty: `/dev/pts/${pid}` }), {
      argv,
      ...(number === undefined ? {} : { environment: { NUMBER: number } }),
    });
  return {
    clock,
    table,
    open,
    named,
    name: () => {
      const windows = windowsOf(manager, table.snapshot());
      return named
        .name(windows, new ProcessFacts(table, clock), clock.monotonic())
        .map(({ handle, process }) => [process.pid, handle]);
    },
  };
}

describe("the windows of a manager", () => {
  const ofManager = (fields: Partial<ProcessInfo>) => {
    const table = new FakeTable();
    const manager = table.set(processInfo(100, { tty: "/dev/pts/9" }));
    table.set(processInfo(101, { parent: 100, ...fields }));
    return windowsOf(manager, table.snapshot()).map(({ pid }) => pid);
  };

  test("are its children that lead a session on a terminal of their own", () => {
    expect(ofManager({})).toEqual([101]);
  });

  test.each([
    ["lead none", { session: 100 }],
    ["have no terminal", { tty: undefined }],
    ["are on the manager's", { tty: "/dev/pts/9" }],
    ["are somebody else's children", { parent: 1 }],
  ])("are none that %s", (_, fields) => {
    expect(ofManager(fields)).toEqual([]);
  });
});

describe("a process", () => {
  test.each([
    ["kitty", "kitty", true],
    [".kitty-wrapped", "kitty", true],
    [".screen-wrapped", "screen", true],
    ["wezterm-mux-ser", "wezterm-mux-server", true],
    ["wezterm-mux-server", "wezterm-mux-server", true],
    [".wezterm-gui-wr", "wezterm-gui", true],
    ["wezterm", "wezterm-gui", false],
    ["kittens", "kitty", false],
    ["SCREEN", "screen", false],
  ])("called %s counts as %s: %s", (name, program, expected) => {
    expect(isCalled(processInfo(1, { name }), program)).toBe(expected);
  });
});

describe("the name of a window", () => {
  test("is the number that it was given, and stays whatever its process runs later", async () => {
    const { clock, table, open, name } = managed();
    open(101, "0");
    open(102, "1");
    expect(name()).toEqual([
      [101, "0"],
      [102, "1"],
    ]);
    open(101, undefined, ["env", "-i", "sleep"]);
    await clock.advance(5_000);
    table.end(102);
    expect(name()).toEqual([[101, "0"]]);
  });

  test("is its process where it was given none", () => {
    const { open, name } = managed();
    open(101, undefined);
    expect(name()).toEqual([[101, "101.1101"]]);
  });

  test("is its process where an older window has its number, and stays when that is gone", () => {
    const { table, open, name } = managed();
    open(103, "0");
    open(102, "0");
    expect(name()).toEqual([
      [102, "0"],
      [103, "103.1103"],
    ]);
    table.end(102);
    expect(name()).toEqual([[103, "103.1103"]]);
    open(104, "0");
    expect(name()).toEqual([
      [103, "103.1103"],
      [104, "0"],
    ]);
  });

  test("is another one where its pid is another process's", () => {
    const { table, open, name } = managed();
    open(101, "0");
    name();
    table.set(processInfo(101, { parent: 100, tty: "/dev/pts/1", startTick: "9999" }), {
      argv: ["sh"],
      environment: { NUMBER: "1" },
    });
    expect(name()).toEqual([[101, "1"]]);
  });

  test.each([
    ["the manager's arguments", ARGV],
    ["none, in the midst of exec", []],
  ])("waits while it has %s: what its environment says is the manager's", async (_, argv) => {
    const { clock, named, open, name } = managed();
    open(101, "7", [...argv]);
    expect(name()).toEqual([]);
    await clock.advance(4);
    expect(named.unnamedFor(clock.monotonic())).toBe(4);
    open(101, "0");
    expect(name()).toEqual([[101, "0"]]);
    expect(named.unnamedFor(clock.monotonic())).toBeUndefined();
  });

  test("waits a second at the longest", async () => {
    const { clock, open, name } = managed();
    open(101, undefined, [...ARGV]);
    expect(name()).toEqual([]);
    await clock.advance(999);
    expect(name()).toEqual([]);
    await clock.advance(1);
    expect(name()).toEqual([[101, "101.1101"]]);
  });
});
