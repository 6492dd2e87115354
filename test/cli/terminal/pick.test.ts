import { describe, expect, test } from "vitest";
import { hostIdIn, ptyRowId } from "../../../src/acting/pty-id.ts";
import { foreignScheme, pick } from "../../../src/cli/terminal/pick.ts";

const one = { id: "7c9e6679-7425", index: 1, name: "build" };
const two = { id: "7c9e1111-0000", index: 2, name: "3" };
const three = { id: "3f2504e0-4f89", index: 3, name: "build" };
const all = [one, two, three];

describe("a terminal is meant", () => {
  test.each([
    ["by its id", "7c9e6679-7425", [one]],
    ["by its id with the scheme", "pty:3f2504e0-4f89", [three]],
    ["by its number", "2", [two]],
    ["by its number before another's name", "3", [three]],
    ["by the beginning of its id", "3f25", [three]],
    ["by the beginning of its id with the scheme", "pty:3f25", [three]],
  ])("%s", (_, text, found) => {
    expect(pick(text, all)).toEqual(found);
  });

  test("by a name or a beginning that several have, as one of those", () => {
    expect(pick("build", all)).toEqual([one, three]);
    expect(pick("7c9e", all)).toEqual([one, two]);
  });

  test("not by a few characters of its id, and with the scheme not by number or name", () => {
    for (const text of ["7c9", "pty:2", "pty:build", "nothing"])
      expect(pick(text, all)).toEqual([]);
  });
});

test("an id in a list is the host's id with the scheme, encoded", () => {
  expect(ptyRowId("a/b")).toBe("pty:a%2Fb");
  expect(hostIdIn(ptyRowId("a/b"))).toBe("a/b");
  expect(hostIdIn("tmux:a/b")).toBeUndefined();
  expect(hostIdIn("pty:%zz")).toBeUndefined();
});

test("an id of another source is known by its scheme, a name with a colon is none", () => {
  const ids = ["tmux:work/0", "hyoui:x", "tty:pts/3@1.2"];
  expect(ids.map(foreignScheme)).toEqual(["tmux", "hyoui", "tty"]);
  for (const text of ["pty:x", "step:one", "a", ""]) expect(foreignScheme(text)).toBeUndefined();
});
