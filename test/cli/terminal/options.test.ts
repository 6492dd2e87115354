import { describe, expect, test } from "vitest";
import { commandLine } from "../../../src/cli/command-line.ts";
import { readCells, readCount, readSignal, waitOf } from "../../../src/cli/terminal/options.ts";

describe("a wait", () => {
  test("is as long as it takes where no time is given", () => {
    expect(waitOf("exit", {})).toEqual({ until: "exit", timeoutMs: 2_147_483_647 });
  });

  test("has the times and the pattern that were given", () => {
    expect(waitOf("quiet", { quiet: 1_500, timeout: 9_000_000_000 })).toEqual({
      until: "quiet",
      quietMs: 1_500,
      timeoutMs: 2_147_483_647,
    });
    expect(waitOf("match", { pattern: "^ok", ignoreCase: true, timeout: 10 })).toEqual({
      until: "match",
      pattern: "^ok",
      ignoreCase: true,
      timeoutMs: 10,
    });
  });

  test.each([
    ["match", {}, "a match needs --pattern <regex>"],
    ["match", { pattern: "(" }, "--pattern must be a regular expression of JavaScript: "],
    ["exit", { pattern: "x" }, "--pattern and --ignore-case are for match, not for exit"],
    ["quiet", { ignoreCase: true }, "--pattern and --ignore-case are for match, not for quiet"],
    ["exit", { quiet: 5 }, "--quiet is for quiet, not for exit"],
  ] as const)("for %s with %j is refused", (until, options, why) => {
    expect(() => waitOf(until, options)).toThrow(why);
  });
});

test("a command of one word is typed as it stands, of several so that they stay words", () => {
  expect(commandLine(["cd /tmp && ls"])).toBe("cd /tmp && ls");
  expect(commandLine(["grep", "-n", "it's here", "a.txt", ""])).toBe(
    "grep -n 'it'\\''s here' a.txt ''",
  );
});

test("signals have their names with or without SIG", () => {
  for (const name of ["int", "INT", "SIGINT", "sigint"]) expect(readSignal(name)).toBe("SIGINT");
  for (const name of ["9", "WINCH", "", "SIGSIGINT"]) {
    expect(() => readSignal(name)).toThrow("the signal must be one of HUP, INT");
  }
});

test("numbers are whole and within bounds", () => {
  expect(readCells("the width")("80")).toBe(80);
  for (const wrong of ["0", "-1", "1.5", "65536", "80x24", ""]) {
    expect(() => readCells("the width")(wrong)).toThrow(
      "the width must be an integer from 1 to 65535",
    );
  }
  expect(readCount("--from")("0")).toBe(0);
  expect(() => readCount("--from")("-1")).toThrow("--from must be an integer of at least 0");
});
