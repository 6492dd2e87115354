import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { Place } from "./support.ts";

const HELP: ReadonlyArray<readonly [command: readonly string[], says: readonly string[]]> = [
  [
    [],
    [
      "serve",
      "ls",
      "watch",
      "explain",
      "url",
      "supervise",
      "monitor",
      "--version",
      "TERMTOPIC_STATE_DIR",
      "Exit codes",
    ],
  ],
  [
    ["serve"],
    [
      "--host <address>",
      '(default: "127.0.0.1")',
      "--port <number>",
      "7117",
      "--public",
      "--allow-host <name>",
      "--allow-origin <origin>",
      "--ready-file <path>",
      "--log-level <level>",
      "(default: warn)",
      "--source <name>",
      "--tmux-socket <path>",
      "--claude-home <folder>",
      "--agents-from <address>",
      "--agents-token-file <path>",
      "--agent-command <name>",
      "SIGHUP",
      "Restart=always",
      "TERMTOPIC_RUNTIME_DIR",
    ],
  ],
  [
    ["ls"],
    [
      "--json",
      "--source <name>",
      "--tmux-socket <path>",
      "--claude-home <folder>",
      "--agents-from <address>",
      "--agent-command <name>",
      "--url <address>",
      "--token-file",
      "starting",
      "agents_polled_at",
    ],
  ],
  [["watch"], ["--json", "--on <state>", "[command...]", "--url <address>", "waiting", "Example"]],
  [
    ["explain"],
    ["<terminal>", "short id", "pts/3", "--json", "--source <name>", "--claude-home", "Which"],
  ],
  [["url"], ["Print the address"]],
];

const WRONG: ReadonlyArray<readonly [args: readonly string[], says: string]> = [
  [[], "Usage: termtopic"],
  [["sevre"], "unknown command 'sevre' (Did you mean serve?); see termtopic --help\n"],
  [["help", "sevre"], "Usage: termtopic"],
  [["--bogus"], "unknown option '--bogus'; see termtopic --help\n"],
  [["serve", "--bogus"], "unknown option '--bogus'; see termtopic serve --help\n"],
  [["ls", "--jsn"], "unknown option '--jsn' (Did you mean --json?); see termtopic ls --help\n"],
  [["ls", "more"], "too many arguments"],
  [["serve", "--port"], "argument missing"],
  [
    ["serve", "--port", "http"],
    '--port must be an integer from 0 to 65535, got "http"; see termtopic serve --help',
  ],
  [["serve", "--port", "65536"], '--port must be an integer from 0 to 65535, got "65536"'],
  [
    ["serve", "--source", "nope"],
    '--source must be the name of a source (pty, tmux, hyoui, screen, zellij, wezterm, kitty, ttys), got "nope"',
  ],
  [["ls", "--source", "nope"], "--source must be the name of a source (pty, tmux"],
  [["serve", "--log-level", "loud"], "--log-level must be a level (trace, debug"],
  [["serve", "--tmux-socket", ""], '--tmux-socket must be a path, got ""'],
  [["serve", "--allow-host", "a:80"], "--allow-host must be a host's name"],
  [["serve", "--allow-origin", "https://a/b"], "--allow-origin must be an origin"],
  [["ls", "--url", "localhost:7117"], "--url must be an http or https address"],
  [["ls", "--token-file", "/t"], "--token-file is for the publisher at --url"],
  [["ls", "--url", "http://127.0.0.1:1/", "--source", "tmux"], "--url asks another"],
  [["ls", "--url", "http://127.0.0.1:1/", "--agent-command", "aider"], "--url asks another"],
  [["ls", "--claude-home", ""], '--claude-home must be a path, got ""'],
  [["serve", "--agents-from", "localhost:1"], "--agents-from must be an http or https address"],
  [
    ["serve", "--agents-token-file", "/t"],
    "--agents-token-file is for an --agents-from with an http or https address, which was not given; see termtopic serve --help",
  ],
  [["explain", "x", "--agents-from", "/s", "--agents-token-file", "/t"], "which was not given"],
  [
    ["serve", "--agent-command", "claude"],
    '--agent-command must not be a harness that is known by itself (claude, codex), got "claude": each',
  ],
  [["ls", "--agent-command", "/bin/aider"], "--agent-command must be the name of a command"],
  [["explain"], "missing required argument 'terminal'; see termtopic explain --help\n"],
  [["watch", "--on", "dead"], "--on needs a command to run"],
  [["watch", "--", "cat"], 'a command is run with --on STATE only, got "cat"'],
];

describe("asked wrongly", () => {
  test.each(WRONG)("%j is told in plain words and ends with 2", async (args, says) => {
    const { code, stdout, stderr } = await new Place().run(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test.each(["--url", "--agents-from"])(
    "what is wrong with %s does not show a token",
    async (option) => {
      const { stderr } = await new Place().run(["ls", option, "ftp://host/#token=secret"]);
      expect(stderr).toContain("ftp://host/");
      expect(stderr).not.toContain("secret");
    },
  );
});

describe("help", () => {
  test.each(HELP)("of %j is complete", async (command, says) => {
    const { code, stdout, stderr } = await new Place().run([...command, "--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    // Where lines are broken is commander's affair.
    const text = stdout.replaceAll(/\s+/g, " ");
    for (const words of says) expect(text).toContain(words);
  });

  test.each([[[]], [["serve"]], [["watch"]]])("`help` prints that of %j", async (command) => {
    const place = new Place();
    const asked = await place.run(["help", ...command]);
    expect(asked).toEqual(await place.run([...command, "--help"]));
  });

  test("the version is the package's", async () => {
    const { code, stdout } = await new Place().run(["--version"]);
    expect([code, stdout]).toEqual([0, `${manifest.version}\n`]);
  });
});

describe("where terminals cannot be read", () => {
  const win32 = 'Object.defineProperty(process, "platform", { value: "win32" });';
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(win32)}` };

  test.each([["serve"], ["ls"], ["watch"], ["url"], ["explain", "x"], ["open"], ["read", "x"]])(
    "`%s` says so and fails",
    async (...command) => {
      const place = new Place();
      const { code, stdout, stderr } = await place.run(command, { env });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        /^termtopic: terminals can be read on Linux and macOS only, .*win32.*\n$/,
      );
      expect(existsSync(place.state)).toBe(false);
    },
  );

  test("a publisher elsewhere can be asked", async () => {
    const place = new Place();
    place.session();
    const { ready, token } = await place.serve();
    const asked = await place.run(["ls", "--url", `${ready.endpoint}#token=${token}`], { env });
    expect(asked).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("work:0.0"),
    });
  });
});
