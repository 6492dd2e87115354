import { describe, expect, test } from "vitest";
import {
  type Filter,
  filterIn,
  matcher,
  NO_FILTER,
  searchOf,
} from "../../src/dashboard/list/filter.ts";

const one = {
  text: "claude -c /home/ada/project fix the build tmux:work@1.2/3",
  host: "ada",
  state: "waits",
  agent: "claude",
  manager: "tmux",
};
const isIn = (filter: Partial<Filter>) => matcher({ ...NO_FILTER, ...filter })(one);

describe("a filter", () => {
  test("is kept in the address, and nothing of it where it leaves nothing out", () => {
    const filter: Filter = {
      text: "a b&c=d",
      host: "h",
      state: "waits",
      agent: "claude",
      manager: "pty",
    };
    expect(filterIn(searchOf(filter))).toEqual(filter);
    expect(searchOf(NO_FILTER)).toBe("");
    expect(filterIn("")).toEqual(NO_FILTER);
    expect(filterIn("?unknown=1&q=x")).toEqual({ ...NO_FILTER, text: "x" });
  });

  test("leaves in what has all of its words, in whatever order and case", () => {
    expect(isIn({ text: "BUILD  claude" })).toBe(true);
    expect(isIn({ text: " " })).toBe(true);
    expect(isIn({ text: "build codex" })).toBe(false);
  });

  test("leaves in what is of the host, state, agent and manager that it names", () => {
    for (const field of ["host", "state", "agent", "manager"] as const) {
      expect(isIn({ [field]: one[field] })).toBe(true);
      expect(isIn({ [field]: "another" })).toBe(false);
    }
  });
});
