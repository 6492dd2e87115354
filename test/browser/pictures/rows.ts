import type { AgentInfo } from "../../../src/contract/agents.ts";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import type { TerminalUsage } from "../../../src/contract/usage.ts";

export const INSTANCE = "3f9c1a7b5e2d48069c1a7b5e2d480691";

/** When the pictures are taken: a Tuesday morning. */
export const NOW = Date.UTC(2026, 11, 1, 9, 41);

const ago = (minutes: number) => NOW - minutes * 60_000;

const tmux = (
  pane: number,
  window: string,
  minutes: number,
  more: Partial<TerminalInfo>,
): TerminalInfo => ({
  instance: INSTANCE,
  id: `tmux:default@4711.1796000000/${pane}`,
  state: "running",
  command: ["zsh"],
  pid: 4_800 + pane,
  started_at: ago(minutes),
  name: `work:${window}`,
  tty: `/dev/pts/${pane}`,
  cols: 120,
  rows: 40,
  ...more,
});

/** The terminal that is shown in the picture of one. */
export const SHOWN = "pty:7c9e6679-7425-40de-944b-e07fc1f90ae7";

export const TERMINALS: readonly TerminalInfo[] = [
  tmux(1, "1.0", 95, { command: ["claude", "-c"], cwd: "/home/ada/src/orrery", title: "orrery" }),
  tmux(2, "2.0", 52, { command: ["claude"], cwd: "/home/ada/src/atlas", title: "atlas" }),
  tmux(3, "3.0", 31, { command: ["codex"], cwd: "/home/ada/src/ledger" }),
  tmux(4, "4.0", 0.1, { command: ["claude"], cwd: "/home/ada/src/mailer" }),
  tmux(5, "5.0", 240, { cwd: "/home/ada/src/atlas/web", foreground: "npm", bell: true }),
  tmux(6, "6.0", 300, { command: ["vim", "notes.md"], cwd: "/home/ada" }),
  tmux(7, "7.0", 410, { command: ["ssh", "build-3"], cwd: "/home/ada", title: "ada@build-3" }),
  {
    ...tmux(8, "8.0", 61, { command: ["make", "check"], cwd: "/home/ada/src/orrery" }),
    state: "dead",
    exit_code: 2,
  },
  {
    instance: INSTANCE,
    id: SHOWN,
    state: "running",
    command: ["claude"],
    cwd: "/home/ada/src/termlog",
    pid: 5_001,
    started_at: ago(18),
    name: "release",
    cols: 120,
    rows: 40,
  },
  {
    instance: INSTANCE,
    id: "tty:pts%2F12@1796000000.9",
    state: "running",
    command: ["bash"],
    cwd: "/home/ada",
    pid: 5_100,
    started_at: ago(1_500),
    tty: "/dev/pts/12",
  },
];

const run = (pid: number, minutes: number, more: Partial<AgentInfo>): AgentInfo => ({
  instance: INSTANCE,
  pid,
  cwd: "/home/ada",
  kind: "interactive",
  started_at: ago(minutes),
  config_dir: "/home/ada/.claude",
  sid: `0199d4b2-5f0a-7c31-8a52-3e8f6c1d${pid}`,
  ...more,
});

export const AGENTS: readonly AgentInfo[] = [
  run(4_801, 95, {
    status: "waiting",
    status_at: ago(7),
    waiting_for: "permission to run the migration",
    name: "move the orbits into the database",
  }),
  run(4_802, 52, { status: "busy", status_at: ago(3), name: "draw coastlines at every zoom" }),
  run(4_803, 31, { status: "idle", status_at: ago(12), name: "round half to even" }),
  run(5_001, 18, { status: "busy", status_at: ago(1), name: "cut the 2.4 release" }),
];

export const USAGE: readonly TerminalUsage[] = TERMINALS.filter(({ pid }) => pid !== undefined).map(
  ({ instance, id }, at) => ({
    ...{ instance, id },
    cpu_percent: [4, 61, 0, 38, 112, 0, 0, 0, 22, 0][at] ?? 0,
    memory_bytes: [410, 388, 205, 290, 640, 48, 12, 9, 371, 6].map((mb) => mb * 1_048_576)[at] ?? 0,
  }),
);

/** What the terminal of the picture shows. */
export const SCREEN = [
  "\x1b[1m\x1b[34m~/src/termlog\x1b[0m \x1b[32mmain\x1b[0m $ claude",
  "",
  "\x1b[36m●\x1b[0m I'll check that everything is ready to be released.",
  "",
  "  \x1b[2m$ npm test\x1b[0m",
  "   \x1b[32m✓\x1b[0m log/rotate.test.ts  \x1b[2m(31 tests)\x1b[0m",
  "   \x1b[32m✓\x1b[0m log/index.test.ts   \x1b[2m(58 tests)\x1b[0m",
  "   \x1b[32m✓\x1b[0m cli/tail.test.ts    \x1b[2m(17 tests)\x1b[0m",
  "",
  "   Tests  \x1b[1m\x1b[32m106 passed\x1b[0m",
  "",
  "  \x1b[2m$ git log --oneline v2.3..\x1b[0m",
  "   \x1b[33m4f1c9d2\x1b[0m Rotate by size and by day",
  "   \x1b[33mb07e118\x1b[0m Follow a file that is replaced",
  "   \x1b[33m91ac3e5\x1b[0m Colours only where they are seen",
  "",
  "\x1b[36m●\x1b[0m All tests pass. The changelog lacks the second change; I add it and tag \x1b[1mv2.4.0\x1b[0m.",
  "",
  "\x1b[35m✻\x1b[0m \x1b[2mWriting CHANGELOG.md…\x1b[0m",
  "",
].join("\r\n");
