import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Place } from "../support.ts";
import { runHere } from "./in-process.ts";

const COMMANDS: ReadonlyArray<readonly [command: string, says: readonly string[]]> = [
  ["open", ["[command...]", "--exec", "--name", "--cwd", "--env", "--session", "--cols", "--rows"]],
  ["open", ["--detach ", "--detach-keys <keys>", '(default: "C-] d")', "--json", "Examples"]],
  ["attach", ["<terminal>", "--read-only", "--detach-keys <keys>", "--session", "twice", "--json"]],
  ["send", ["<keys...>", "--literal", "--submit", "Escape", "PPage", "after --", "--json"]],
  ["read", ["--from <offset>", "--peek", "--wait <what>", "--timeout <seconds>", "--json"]],
  ["wait", ["[what]", "--pattern <regex>", "--ignore-case", "--quiet <seconds>", "in time"]],
  ["capture", ["--scrollback <lines>", "--escapes", "--join", "--json"]],
  ["resize", ["<cols>", "<rows>", "--json"]],
  ["rename", ["[name]", "--json"]],
  ["signal", ["<signal>", "--json"]],
  ["close", ["--force", "pty:", "the session cli", "--json"]],
];

const WRONG: ReadonlyArray<readonly [args: readonly string[], says: string]> = [
  [["open", "--exec"], "--exec needs a command to run: termtopic open --exec -- COMMAND..."],
  [["open", "--cols", "0"], '--cols must be an integer from 1 to 65535, got "0"'],
  [["open", "--detach-keys", "Enter"], "--detach-keys must be 1 to 4 keys"],
  [["attach"], "missing required argument 'terminal'"],
  [["attach", ""], "is shown on a terminal"],
  [["send", "a"], "missing required argument 'keys'"],
  [["send", "a", "x", "--literal", "--submit"], "--literal has no part in it"],
  [["read", ""], 'a terminal must be an id, a number or a name, got ""'],
  [["read", "a", "--from", "-1"], '--from must be an integer of at least 0, got "-1"'],
  [["read", "a", "--timeout", "5"], "are for --wait"],
  [["read", "a", "--wait", "bell"], '--wait must be quiet, exit, match, got "bell"'],
  [["read", "a", "--wait", "match"], "a match needs --pattern <regex>"],
  [["wait", "a", "soon"], 'what is waited for must be quiet, exit, match, got "soon"'],
  [["wait", "a", "quiet", "--pattern", "x"], "are for match, not for quiet"],
  [["wait", "a", "--pattern", "("], "--pattern must be a regular expression of JavaScript"],
  [["wait", "a", "--timeout", "0"], '--timeout must be a number of seconds above 0, got "0"'],
  [["capture", "a", "--scrollback", "all"], "--scrollback must be an integer of at least 0"],
  [["resize", "a", "80"], "missing required argument 'rows'"],
  [["resize", "a", "80", "x"], 'the height must be an integer from 1 to 65535, got "x"'],
  [["signal", "a", "9"], "the signal must be one of HUP, INT, QUIT, KILL"],
];

describe("asked wrongly", () => {
  test.each(WRONG)(
    "%j is told in plain words, ends with 2 and starts nothing",
    async (args, says) => {
      const { state, env } = new Place();
      const { code, stdout, stderr } = await runHere(args, env);
      expect([code, stdout, existsSync(state)]).toEqual([2, "", false]);
      expect(stderr).toContain(says);
      expect(stderr).toContain(`see termtopic ${args[0]} --help`);
    },
  );
});

test.each(COMMANDS)("help of %s says %j", async (command, says) => {
  const { code, stdout } = await runHere([command, "--help"], {});
  expect(code).toBe(0);
  const text = stdout.replaceAll(/\s+/g, " ").replaceAll('"cli"', "cli");
  for (const words of says) expect(text).toContain(words);
});

test("the program as it is shipped says the same", async () => {
  const place = new Place();
  for (const args of [
    ["send", "a"],
    ["send", "--help"],
  ]) {
    expect(await place.run(args)).toEqual(await runHere(args, {}));
  }
});
