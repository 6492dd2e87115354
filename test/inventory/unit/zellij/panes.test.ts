import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePanes } from "../../../../src/inventory/zellij/panes.ts";
import { documents, recorded } from "../listings.ts";

const parsed = (value: unknown) => parsePanes(Buffer.from(JSON.stringify(value) ?? ""));

describe("a list of zellij", () => {
  test("states its terminal panes and no plugins", () => {
    expect(parsePanes(recorded("zellij-list-panes.json"))).toEqual([
      {
        number: 0,
        hasExited: false,
        exitCode: undefined,
        isHeld: false,
        title: "/bin/bash",
        tab: "Tab #1",
        cols: 58,
        rows: 26,
        command: "bash",
        cwd: "/home/me/project",
      },
      {
        number: 1,
        hasExited: true,
        exitCode: 101,
        isHeld: true,
        title: "cargo build",
        tab: "Tab #1",
        cols: 58,
        rows: 26,
        command: "cargo build",
        cwd: undefined,
      },
      {
        number: 4,
        hasExited: false,
        exitCode: undefined,
        isHeld: true,
        title: "tail -f log",
        tab: "logs",
        cols: 80,
        rows: 10,
        command: "tail -f log",
        cwd: undefined,
      },
    ]);
  });

  test("may be one of the few fields that are documented", () => {
    const pane = { id: 1, is_plugin: false, title: "/bin/bash", tab_name: "Tab #1" };
    expect(parsed([pane])).toMatchObject([{ number: 1, title: "/bin/bash", hasExited: false }]);
  });

  test("is empty, or one of plugins alone, and then there are no terminals", () => {
    expect(parsed([])).toEqual([]);
    expect(parsed([{ id: 0, is_plugin: true }])).toEqual([]);
  });

  test.each([
    ["nothing", undefined],
    ["no list", { panes: [] }],
    ["a list of what are no panes", [1, "x", null, [], { title: "x" }, { id: -1 }, { id: "1" }]],
  ])("is none where it says %s", (_, value) => {
    expect(parsed(value)).toBeUndefined();
  });

  test("loses what is no pane alone, and states a pane once", () => {
    const panes = parsed([{ id: 1.5 }, { id: 1, title: "a" }, { id: 1, title: "b" }, null]);
    expect(panes?.map(({ number, title }) => ({ number, title }))).toEqual([
      { number: 1, title: "a" },
    ]);
  });

  test("never throws, and states each number once", () => {
    const names = ["id", "is_plugin", "exited", "exit_status", "title", "tab_name", "pane_rows"];
    fc.assert(
      fc.property(documents(names), (text) => {
        const panes = parsePanes(Buffer.from(text)) ?? [];
        expect(new Set(panes.map(({ number }) => number)).size).toBe(panes.length);
        expect(panes.every(({ number }) => Number.isInteger(number) && number >= 0)).toBe(true);
      }),
    );
  });
});
