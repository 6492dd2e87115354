import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/host/supervisor/operation.ts";
import { Place } from "../support.ts";
import { runHere } from "../terminal/in-process.ts";

const HELP: ReadonlyArray<readonly [command: string, says: readonly string[]]> = [
  ["start", ["[command...]", "--workspace <folder>", "--cwd <folder>", "--backend <name>"]],
  ["start", ["--shell-argument <text>", "--sandbox <json>", "--monitor <json>", "--wait <what>"]],
  ["start", ["--timeout <seconds>", "--rows", "--cols", "Examples", "3 it did not come in time"]],
  ["read", ["--from <offset>", "--segment <number>", "--all"]],
  ["write", ["--keys", "page_up", "--controls", "--paste"]],
  ["wait", ["[what]", "--pattern <text>", "--quiet <seconds>", "Ctrl-C", "4 the session ended"]],
  ["monitor", ["[change]", "--definition <json>", "termtopic monitor"]],
  ["inspect", ["--after <event>", "--acknowledge <event>", "--max <number>"]],
  ["list", ["--backend <name>"]],
  ["resize", ["[cols]", "[rows]"]],
  ["signal", ["hangup, interrupt, quit, terminate, kill"]],
  ["close", ["--force"]],
];

const WRONG: ReadonlyArray<readonly [args: readonly string[], says: string]> = [
  [["start", "--wait", "match", "--", "x"], "a match needs --pattern <text>"],
  [["start", "--pattern", "x"], "--pattern is for match, not for started"],
  [["start", "--timeout", "1"], "--timeout is for --wait, which was not given"],
  [["start", "--backend", "screen"], '--backend must be one of native, tmux, got "screen"'],
  [["start", "--monitor", "{"], "--monitor must be JSON: "],
  [["start", "--monitor", "{}"], "--monitor must be a definition of a monitor"],
  [["start", "--rows", "0"], "--rows must be an integer from 1"],
  [["read"], "the id of a session is needed, or --request"],
  [["read", "x", "--from", "-1"], "--from must be an integer of at least 0"],
  [["read", "--request", "{"], "--request must be JSON: "],
  [["read", "--request", "[]"], "--request must be a request of read: Expected object"],
  [["read", "--request", '{"session_id":"x"}'], "must be a request of read: Expected `cursor_"],
  [["read", "--request", '{"action":"list"}'], "--request must be a request of read"],
  [["read", "x", "--request", "{}"], "--request is the whole operation, x has no part in it"],
  [["read", "--all", "--request", "{}"], "--all has no part in it"],
  [["write", "x"], "what to write is needed, or --request"],
  [["write", "x", "--keys", "--paste", "enter"], "only one can be given"],
  [["write", "x", "--keys", "up"], "a key must be one of enter, tab"],
  [["write", "x", "--controls", "cc"], 'a control must be one of ?, @ to _ or a to z, got "cc"'],
  [["wait", "x", "soon"], "what is waited for must be one of started, exit, quiet, match"],
  [["wait", "x", "exit", "--quiet", "1"], "--quiet is for quiet, not for exit"],
  [
    ["monitor", "x", "watch"],
    'what is done must be one of add, update, pause, resume, remove, got "',
  ],
  [["monitor", "x", "add"], "add needs --definition <json>"],
  [["monitor", "x", "add", "monitor-1"], "has no id yet"],
  [["monitor", "x", "pause"], "pause needs the id of a monitor"],
  [["monitor", "x", "pause", "monitor-1", "--definition", "{}"], "for add and update, not for"],
  [["inspect", "x", "--max", "0"], '--max must be an integer of at least 1, got "0"'],
  [["resize", "x", "80"], "a width and a height are needed, or --request"],
  [["signal", "x"], "a signal is needed, or --request"],
  [["signal", "x", "9"], "the signal must be one of hangup, interrupt, quit, terminate, kill"],
];

describe("termtopic supervise", () => {
  test.each(WRONG)(
    "%j is told in plain words, ends with 2 and starts nothing",
    async (args, says) => {
      const { state, env } = new Place();
      const { code, stdout, stderr } = await runHere(["supervise", ...args], env);
      expect([code, stdout, existsSync(state)]).toEqual([2, "", false]);
      expect(stderr).toContain(says);
      expect(stderr).toContain(`see termtopic supervise ${args[0]} --help`);
    },
  );

  test("tells of an option that it has not with the operation's own help", async () => {
    const { stderr } = await runHere(["supervise", "read", "--bogus"], {});
    expect(stderr).toBe(
      "termtopic: unknown option '--bogus'; see termtopic supervise read --help\n",
    );
  });

  test("has a command for each operation of the dialect, for hello and for ping", async () => {
    const { code, stdout } = await runHere(["supervise", "--help"], {});
    expect(code).toBe(0);
    const commands = [...stdout.matchAll(/^ {2}(\w+) \[options\]/gm)].map(([, name]) => name);
    expect(commands).toEqual([...Object.keys(OPERATIONS), "hello", "ping"]);
  });

  test.each(HELP)("help of %s says %j", async (operation, says) => {
    const { code, stdout } = await runHere(["supervise", operation, "--help"], {});
    expect(code).toBe(0);
    const text = stdout.replaceAll(/\s+/g, " ");
    for (const words of [...says, "--request <json>", "--json"]) expect(text).toContain(words);
  });

  test.each(Object.keys(OPERATIONS).filter((name) => name !== "start"))(
    "%s starts no host where none runs, and says what does",
    async (operation) => {
      const { env } = new Place();
      const words: Readonly<Record<string, readonly string[]>> = {
        list: [],
        write: ["x", "text"],
        monitor: ["x", "pause", "monitor-1"],
        resize: ["x", "80", "24"],
        signal: ["x", "kill"],
      };
      const args = words[operation] ?? ["x"];
      const { code, stdout, stderr } = await runHere(["supervise", operation, ...args], env);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("no terminal host runs; `termtopic supervise start` starts one");
    },
  );
});
