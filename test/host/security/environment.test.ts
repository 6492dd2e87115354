import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type BuiltHost, buildHost, RealHost } from "../hostile/real-host.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const SECRET = "do-not-tell";

/** What a host may be started with: secrets, settings of what runs it, and marks of the terminal it was started in. */
const LEAKING = {
  ANTHROPIC_API_KEY: SECRET,
  AWS_SECRET_ACCESS_KEY: SECRET,
  GITHUB_TOKEN: SECRET,
  NPM_TOKEN: SECRET,
  npm_config__auth: SECRET,
  npm_lifecycle_script: SECRET,
  NODE_OPTIONS: "--no-deprecation",
  NODE_PATH: `/${SECRET}`,
  NODE_EXTRA_CA_CERTS: `/${SECRET}`,
  CLAUDECODE: "1",
  CLAUDE_CODE_ENTRYPOINT: SECRET,
  CODEX_SANDBOX: SECRET,
  TMUX: `/tmp/${SECRET},1,0`,
  TMUX_PANE: "%1",
  STY: `1.${SECRET}`,
  WINDOW: "1",
  ZELLIJ: "0",
  KITTY_WINDOW_ID: "1",
  VSCODE_IPC_HOOK: `/${SECRET}`,
  SSH_AUTH_SOCK: `/${SECRET}`,
  LC_TERMINAL: SECRET,
  BASH_ENV: `/${SECRET}`,
  ENV: `/${SECRET}`,
  PROMPT_COMMAND: `echo ${SECRET}`,
  TERM: "screen",
  TERM_PROGRAM: "other",
  TERMTOPIC_TOKEN: SECRET,
};

/** What shells set of themselves. */
const SHELLS_OWN = ["OLDPWD", "PWD", "SHLVL", "_"];

const ALLOWED = [
  "COLORTERM",
  "HOME",
  "LANG",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION",
  "USER",
];

test.each([
  ["a shell", {}, "/usr/bin/env -0 > found; exit"],
  ["a program in its place", { exec: ["/bin/sh", "-c", "/usr/bin/env -0 > found"] }, undefined],
])("%s is told no secret of the host's environment", async (_, how, command) => {
  const host = await RealHost.start(built, LEAKING);
  const client = await host.connect();
  const cwd = host.place.folder;
  const open = {
    op: "open",
    sessionId: "s",
    key: "o",
    cwd,
    env: null,
    cols: 80,
    rows: 24,
  } as const;
  await client.call({ ...open, ...how, ...(command === undefined ? {} : { command }) });
  const read = await client.read({
    sessionId: "s",
    target: "1",
    from: 0,
    wait: { until: "exit", timeoutMs: 20_000 },
  });
  expect(read.waited).toBe("exit");
  const found = readFileSync(join(cwd, "found"), "utf8");
  expect(found + read.text).not.toContain(SECRET);
  const names = found.split("\0").flatMap((line) => line.split("=", 1).filter(Boolean));
  const inherited = names.filter((name) => !SHELLS_OWN.includes(name)).sort();
  expect(inherited.filter((name) => name in LEAKING)).toEqual(["TERM", "TERM_PROGRAM"]);
  expect(inherited.filter((name) => !ALLOWED.includes(name))).toEqual([]);
  expect(found).toContain("TERM=xterm-256color\0");
  expect(found).toContain("TERM_PROGRAM=termtopic\0");
});

test("what the kernel shows of a program's environment holds no secret either", async () => {
  const host = await RealHost.start(built, LEAKING);
  const client = await host.connect();
  await client.script(
    "s",
    `tr '\\0' '\\n' < /proc/self/environ; tr '\\0' '\\n' < /proc/$$/environ`,
  );
  const wait = { until: "exit", timeoutMs: 20_000 } as const;
  const { text } = await client.read({ sessionId: "s", target: "1", from: 0, wait });
  expect(text).toContain("TERM=xterm-256color");
  expect(text).not.toContain(SECRET);
});
