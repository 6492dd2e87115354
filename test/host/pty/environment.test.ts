import { afterEach, expect, test } from "vitest";
import { shellEnvironment } from "../../../src/host/pty/environment.ts";
import { endAll, start } from "./support.ts";

afterEach(endAll);

const OWN = {
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
  TERM_PROGRAM: "termtopic",
  TERM_PROGRAM_VERSION: "1.2.3",
};

const USER = { HOME: "/home/a", USER: "a", LOGNAME: "a", SHELL: "/bin/zsh", PATH: "/bin" };

test("a program gets what the list allows and nothing else of the host's", () => {
  const base = {
    ...USER,
    LANG: "de_DE.UTF-8",
    LC_TIME: "en_GB.UTF-8",
    LC_TERMINAL: "iTerm2",
    TZ: "Europe/Berlin",
    TMPDIR: "/var/tmp",
    XDG_RUNTIME_DIR: "/run/user/1000",
    XDG_: "",
    SSH_AUTH_SOCK: "/agent",
    TERM: "screen",
    TERM_PROGRAM: "vscode",
    TMUX: "/tmp/tmux",
    TMUX_PANE: "%1",
    STY: "1.pts",
    NODE_OPTIONS: "--inspect",
    NODE_ENV: "production",
    npm_config_token: "secret",
    GITHUB_TOKEN: "secret",
    CLAUDECODE: "1",
    LD_PRELOAD: "/tmp/x.so",
    PWD: "/somewhere",
    OLDPWD: "/elsewhere",
    SHLVL: "3",
    UNSET: undefined,
  };
  expect(shellEnvironment({ base, version: "1.2.3" })).toEqual({
    ...USER,
    LANG: "de_DE.UTF-8",
    LC_TIME: "en_GB.UTF-8",
    TZ: "Europe/Berlin",
    TMPDIR: "/var/tmp",
    XDG_RUNTIME_DIR: "/run/user/1000",
    ...OWN,
  });
});

test("the ssh agent is passed on when that is asked for", () => {
  const base = { ...USER, SSH_AUTH_SOCK: "/agent" };
  const environment = shellEnvironment({ base, version: "1", sshAgent: true });
  expect(environment["SSH_AUTH_SOCK"]).toBe("/agent");
});

test("a named environment goes before everything else", () => {
  const environment = shellEnvironment({
    base: { ...USER, NODE_ENV: "production" },
    named: { NODE_ENV: "test", PATH: "/opt/bin", TERM: "xterm" },
    version: "1",
  });
  expect(environment).toMatchObject({ NODE_ENV: "test", PATH: "/opt/bin", TERM: "xterm" });
});

test.each([
  [{}, { LANG: "C.UTF-8" }],
  [{ LANG: "" }, { LANG: "C.UTF-8" }],
  [{ LANG: "C" }, { LANG: "C", LC_CTYPE: "C.UTF-8" }],
  [
    { LANG: "de_DE.UTF-8", LC_CTYPE: "POSIX" },
    { LANG: "de_DE.UTF-8", LC_CTYPE: "C.UTF-8" },
  ],
  [
    { LANG: "de_DE.UTF-8", LC_ALL: "C" },
    { LANG: "de_DE.UTF-8", LC_ALL: "C.UTF-8" },
  ],
  [{ LANG: "de_DE.UTF-8" }, { LANG: "de_DE.UTF-8" }],
  [{ LANG: "ja_JP.eucJP" }, { LANG: "ja_JP.eucJP" }],
])(
  "without a language characters are UTF-8, and one that was chosen is kept: %j",
  (given, expected) => {
    const environment = shellEnvironment({ base: { ...USER, ...given }, version: "1" });
    const locale = Object.entries(environment).filter(([name]) => /^(LANG$|LC_)/.test(name));
    expect(Object.fromEntries(locale)).toEqual(expected);
  },
);

test("a host that was started with nothing still has a user, a home and a path to give", () => {
  const environment = shellEnvironment({ base: {}, version: "1" });
  expect(environment["PATH"]).toContain("/usr/bin");
  expect(environment["HOME"]).toMatch(/^\//);
  expect(environment["USER"]).toBe(environment["LOGNAME"]);
});

test("a shell on a terminal prints nothing but that", async () => {
  process.env["TERMTOPIC_SECRET"] = "secret";
  try {
    const env = shellEnvironment({ base: process.env, version: "1.2.3" });
    const terminal = start({ file: "/usr/bin/env", env, cwd: "/usr" });
    await terminal.exited;
    const names = terminal.text.split("\r\n").map((line) => line.split("=", 1)[0] ?? "");
    expect(names.filter((name) => name !== "").sort()).toEqual([...Object.keys(env), "PWD"].sort());
    expect(terminal.text).not.toContain("secret");
  } finally {
    delete process.env["TERMTOPIC_SECRET"];
  }
});
