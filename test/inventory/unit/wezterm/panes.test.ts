import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePanes } from "../../../../src/inventory/wezterm/panes.ts";
import { documents, recorded } from "../listings.ts";

const parsed = (value: unknown) => parsePanes(Buffer.from(JSON.stringify(value) ?? ""));

describe("a list of wezterm", () => {
  test("states its panes", () => {
    expect(parsePanes(recorded("wezterm-list.json"))).toEqual([
      {
        number: 0,
        tty: "/dev/pts/7",
        name: "default:0",
        title: "nvim",
        cwd: "/home/me/a b",
        cols: 80,
        rows: 24,
      },
      {
        number: 3,
        tty: "/dev/pts/8",
        name: "work:deploy",
        title: "zsh",
        cwd: "/srv/あ",
        cols: 200,
        rows: 50,
      },
      {
        number: 9,
        tty: undefined,
        name: "default:5",
        title: "ssh far",
        cwd: undefined,
        cols: 80,
        rows: 24,
      },
    ]);
  });

  test.each([
    ["file://host/a%2Fb%20c", "/a/b c"],
    ["file:///", "/"],
    ["/as/it/is", "/as/it/is"],
    ["file:///%ff", undefined],
    ["https://host/x", undefined],
    ["not a path", undefined],
    ["", undefined],
  ])("has %j for the directory %j", (cwd, path) => {
    expect(parsed([{ pane_id: 1, cwd }])?.[0]?.cwd).toBe(path);
  });

  test("is empty where there are no panes, and none where it says something else", () => {
    expect(parsed([])).toEqual([]);
    for (const value of [undefined, {}, "x", [1], [{ title: "x" }], [{ pane_id: "0" }]]) {
      expect(parsed(value)).toBeUndefined();
    }
  });

  test("never throws, and states each number once", () => {
    const names = ["pane_id", "tab_id", "tty_name", "size", "rows", "cols", "cwd", "title"];
    fc.assert(
      fc.property(documents(names), (text) => {
        const panes = parsePanes(Buffer.from(text)) ?? [];
        expect(new Set(panes.map(({ number }) => number)).size).toBe(panes.length);
      }),
    );
  });
});
