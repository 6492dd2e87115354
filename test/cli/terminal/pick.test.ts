import { describe, expect, test } from "vitest";
import { hostId, pick, requireOurs, rowId } from "../../../src/cli/terminal/pick.ts";

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
  expect(rowId("a/b")).toBe("pty:a%2Fb");
  expect(hostId(rowId("a/b"))).toBe("a/b");
  expect(hostId("tmux:a/b")).toBeUndefined();
  expect(hostId("pty:%zz")).toBeUndefined();
});

test("a terminal of another source is refused by its scheme, a name with a colon is not", () => {
  for (const text of ["tmux:work/0", "hyoui:x", "tty:pts/3@1.2"]) {
    expect(() => requireOurs(text)).toThrow(/is a terminal of (tmux|hyoui|tty); this takes/);
  }
  for (const text of ["pty:x", "step:one", "a"]) expect(() => requireOurs(text)).not.toThrow();
  expect(() => requireOurs("")).toThrow('must be an id, a number or a name, got ""');
});
