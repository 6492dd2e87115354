import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseWindows } from "../../../../src/inventory/kitty/windows.ts";
import { documents, recorded } from "../listings.ts";

const parsed = (value: unknown) => parseWindows(Buffer.from(JSON.stringify(value) ?? ""));

describe("a list of kitty", () => {
  test("states the windows of all its tabs, as 0.26 prints them", () => {
    expect(parseWindows(recorded("kitty-ls.json"))).toEqual([
      {
        number: 1,
        pid: 5831,
        name: "1:1",
        title: "/tmp",
        command: ["/bin/bash", "--posix"],
        cwd: "/tmp",
        cols: 71,
        rows: 22,
      },
      {
        number: 2,
        pid: 6002,
        name: "1:1",
        title: "cat",
        command: ["/usr/bin/cat"],
        cwd: "/",
        cols: 71,
        rows: 10,
      },
      {
        number: 3,
        pid: 6010,
        name: "1:2",
        title: "kitty",
        command: ["/usr/bin/kitty", "+kitten", "ask"],
        cwd: "/",
        cols: 71,
        rows: 22,
      },
    ]);
  });

  test("is empty where there are no windows, and none where it says something else", () => {
    expect(parsed([])).toEqual([]);
    expect(parsed([{ id: 1, tabs: [] }])).toEqual([]);
    for (const value of [undefined, {}, "x", [1], [{ id: 1 }]]) {
      expect(parsed(value)).toBeUndefined();
    }
  });

  test("never throws, and states each number once", () => {
    const names = ["id", "tabs", "windows", "pid", "title", "cmdline", "cwd", "columns", "lines"];
    fc.assert(
      fc.property(documents(names), (text) => {
        const windows = parseWindows(Buffer.from(text)) ?? [];
        expect(new Set(windows.map(({ number }) => number)).size).toBe(windows.length);
      }),
    );
  });
});
