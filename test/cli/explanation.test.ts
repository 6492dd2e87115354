import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { timeText } from "../../src/cli/event-line.ts";
import { type Answer, explanationDocument } from "../../src/cli/explanation.ts";
import { explanationLines } from "../../src/cli/explanation-lines.ts";
import { findTerminals } from "../../src/cli/find-terminal.ts";
import { treeOf } from "../../src/cli/process-tree.ts";
import { ruleText } from "../../src/cli/rule-text.ts";
import { cells } from "../../src/cli/text.ts";
import type { SourceInfo } from "../../src/contract/sources.ts";
import type { ExplainedProcess, ExplainedTerminal } from "../../src/inventory/explain.ts";
import { agent, NOW, sid, terminal } from "./rows.ts";

const PLACE: SourceInfo = {
  scheme: "tmux",
  name: "/tmp/a",
  status: "ok",
  since_at: NOW - 180_000,
  polled_at: NOW - 2_000,
};
const READ = timeText(new Date(NOW - 2_000));
const COMMANDS: SourceInfo = { scheme: "command", status: "ok", since_at: NOW };
const HOME: SourceInfo = { ...PLACE, scheme: "claude", name: "/home/ann/.claude" };

interface Made extends Omit<Partial<ExplainedProcess>, "process"> {
  readonly tty?: string;
  readonly front?: boolean;
}

/** A process whose number is also its group and its start. */
function made(
  pid: number,
  parent: number,
  { tty = "/dev/pts/3", front = false, ...more }: Made = {},
): ExplainedProcess {
  const process = {
    pid,
    parent,
    group: pid,
    session: 10,
    ttyDevice: 1,
    tty,
    foregroundGroup: front ? pid : 0,
    state: "S",
    startTick: String(pid),
    name: `name ${pid}`,
  };
  return { argv: [`program-${pid}`], ...more, process };
}

const explained = (fields: Partial<ExplainedTerminal> = {}): ExplainedTerminal => ({
  row: terminal({ id: "tmux:a@812.1770000000/1", tty: "/dev/pts/3", pid: 10 }),
  observed: { id: "tmux:a@812.1770000000/1", state: "running", rootPid: 10 },
  place: PLACE,
  processes: [made(10, 1)],
  rule: "root",
  rootPid: 10,
  folded: [],
  ...fields,
});

const answer = (fields: Partial<ExplainedTerminal> = {}): Answer => ({
  terminal: explained(fields),
  sources: [PLACE],
  agentSources: [HOME],
  startedAt: ({ pid }) => (pid === 99 ? undefined : NOW - pid * 1_000),
});

const lines = (from: Answer, width?: number, color = false) =>
  explanationLines(from, { now: NOW, home: "/home/ann", width, colors: createColors(color) });

const run = agent({
  pid: 20,
  status: "waiting",
  status_at: NOW - 60_000,
  waiting_for: "permission: \x1bBash",
  started_at: NOW - 20_000,
});
const attached = answer({
  row: terminal({
    id: "tmux:a/1",
    tty: "/dev/pts/3",
    pid: 20,
    command: ["claude"],
    foreground: "vim",
  }),
  processes: [
    made(10, 1),
    made(30, 20, { tty: "/dev/pts/4", argv: [] }),
    made(20, 10, { front: true, harness: "claude", run, runPlace: HOME, argv: ["claude", "a b"] }),
    made(40, 10, { helper: true }),
  ],
  rule: "run",
  folded: [{ tty: "/dev/pts/4", leader: 30, why: "tool" }],
});

test("the text tells of the row, who stated it, the rule, the processes, the agents and what was left out", () => {
  expect(lines(attached)).toEqual([
    "tmux:a/1",
    "  name      work:0.0",
    "  tty       /dev/pts/3",
    "  state     running",
    `  whose     attached to ${sid(1)}`,
    "  command   claude",
    "  in front  vim",
    "",
    "stated by",
    "  source      tmux /tmp/a",
    `  stands      ok, read at ${READ}, 2s ago`,
    "  its state   running",
    "  it started  process 10",
    "",
    "about",
    "  process    20, for 20s",
    "  chosen by  rule 1: an agent's run, the only run in it",
    "",
    "processes (4)",
    "  PID  SINCE  STATE  COMMAND         WHAT IT IS",
    "  10   10s    S      program-10      started by the manager",
    "  20   20s    S+       claude 'a b'  chosen, recognised as claude, an agent's run by claude /home/ann/.claude",
    "  30   30s    S          [name 30]   on /dev/pts/4",
    "  40   40s    S        program-40    a helper of an agent, no session",
    "",
    "agent 20",
    "  source   claude /home/ann/.claude",
    `  stands   ok, read at ${READ}, 2s ago`,
    "  program  claude",
    `  session  ${sid(1)}`,
    "  kind     interactive",
    "  status   waiting 1m, for permission:  Bash",
    "  began    20s ago",
    "  cwd      ~/src/atlas",
    "  config   ~/.claude",
    "",
    "counted as a part of it",
    "  /dev/pts/4  process 30: an agent in it opened it for its tools",
  ]);
});

test("the document has what the text has, in the words of the topics", () => {
  expect(explanationDocument(attached)).toMatchObject({
    terminal: { id: "tmux:a/1", pid: 20 },
    section: "attached",
    sids: [sid(1)],
    rule: { name: "run", number: 1, why: "an agent's run, the only run in it" },
    root_pid: 10,
    stated: { id: "tmux:a@812.1770000000/1", state: "running", root_pid: 10 },
    source: PLACE,
    processes: [
      { pid: 10, parent: 1, root: true, chosen: false, foreground: false, start_tick: "10" },
      { pid: 30, tty: "/dev/pts/4", argv: [] },
      {
        pid: 20,
        started_at: NOW - 20_000,
        state: "S",
        foreground: true,
        chosen: true,
        harness: "claude",
        run,
        program: "claude",
        run_source: HOME,
      },
      { pid: 40, helper: true },
    ],
    folded: [{ tty: "/dev/pts/4", leader: 30, why: "tool" }],
    sources: [PLACE],
    agent_sources: [HOME],
  });
});

test("a terminal whose process has ended is told without one, and what could not be read stands below", () => {
  const { pid: _, ...row } = terminal({ state: "dead", exit_code: 3 });
  const failing = {
    ...PLACE,
    status: "failing" as const,
    error: { code: "timeout", msg: "no answer" },
  };
  const dead = answer({
    row,
    observed: { id: row.id, state: "dead", endedPid: 99 },
    place: failing,
    processes: [],
    rule: "none",
  });
  const shown = lines({ ...dead, sources: [failing] });
  expect(shown.join()).not.toMatch(/processes|COMMAND/);
  expect(shown).toContain("  state    dead (3)");
  expect(shown).toContain("  it started  process 99, which has ended");
  expect(shown).toContain("  chosen by  none: its manager names no process that lives");
  expect(shown).toContain(`  stands      failing for 3m, read at ${READ}, 2s ago: no answer`);
  expect(shown.at(-1)).toMatch(/^tmux \/tmp\/a could not be read for the last 3m/);
});

test.each([
  ["the recognised harness", { harness: "codex", argv: ["node", "x.js"] }, "codex"],
  ["the source's harness", { argv: ["node", "x.js"], runPlace: HOME }, "claude"],
  ["what it runs", { argv: ["python3", "/usr/bin/aider"], runPlace: COMMANDS }, "aider"],
  ["its source, of a process without words", { argv: [], runPlace: COMMANDS }, "command"],
])("the program of an agent is %s", (_, fields, program) => {
  const odd = agent({ pid: 10, config_dir: "/home/ann/.claude-like" });
  const from = answer({ processes: [made(10, 1, { run: odd, ...fields })] });
  expect(lines(from)).toContain(`  program  ${program}`);
  expect(explanationDocument(from)).toMatchObject({ processes: [{ program }] });
});

test("no line is wider than the terminal, and none holds a control", () => {
  for (const width of [10, 40, 79]) {
    const plain = lines(attached, width);
    for (const line of plain) {
      expect(cells(line)).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(/\p{Cc}/u);
    }
    const painted = lines(attached, width, true).map((line) => line.replace(/\x1b\[\d+m/g, ""));
    expect(painted).toEqual(plain);
  }
});

test("processes are a tree, the oldest first, also where numbers form a circle", () => {
  const processes = [made(5, 6), made(6, 5), made(30, 10), made(20, 10), made(10, 1), made(25, 20)];
  const shape = treeOf(processes).map(({ process, depth }) => [process.process.pid, depth]);
  expect(shape).toEqual([
    [10, 0],
    [20, 1],
    [25, 2],
    [30, 1],
    [5, 0],
    [6, 1],
  ]);
});

test("ten thousand processes below each other are a tree too", () => {
  const chain = Array.from({ length: 10_000 }, (_, index) => made(index + 2, index + 1));
  expect(treeOf(chain).at(-1)).toMatchObject({ depth: 9_999 });
});

test.each([
  ["the only one", [made(20, 10, { run })], "the only run in it"],
  [
    "one in the foreground",
    [made(20, 10, { run, front: true }), made(40, 10, { run })],
    "of the 2 in it the newest in the foreground",
  ],
  ["the newest", [made(20, 10, { run }), made(15, 10, { run })], "of the 2 in it the newest"],
  [
    "one whose tools are agents",
    [made(20, 10, { run }), made(25, 20), made(30, 25, { run })],
    "of the 2 in it the one that started the others",
  ],
])("why a run was chosen: %s", (_, processes, why) => {
  const row = terminal({ pid: 20 });
  const text = ruleText(explained({ row, processes: [made(10, 1), ...processes], rule: "run" }));
  expect(text).toBe(`an agent's run, ${why}`);
});

test("why a harness was chosen: its launcher gives way to it", () => {
  const processes = [made(15, 10, { harness: "codex" }), made(20, 15, { harness: "codex" })];
  const text = ruleText(explained({ row: terminal({ pid: 20 }), processes, rule: "harness" }));
  expect(text).toMatch(
    /no run is known, of the 2 in it the one that its launcher, process 15, started$/,
  );
});

test("a terminal is found by id, id in short, name, device and the pid of any process in it", () => {
  const one = explained({ processes: [made(10, 1), made(11, 10)] });
  const { pid: _, ...bare } = terminal({
    id: "tty:pts%2F7@70.123",
    name: "work:0.1",
    tty: "/dev/pts/7",
  });
  const two = explained({
    row: bare,
    processes: [],
    folded: [{ tty: "/dev/pts/8", leader: 80, why: "wrapper" }],
  });
  const found = (text: string) => findTerminals(text, [one, two]).map(({ row: { id } }) => id);
  for (const text of [
    "tmux:a@812.1770000000/1",
    "tmux:a/1",
    "work:0.0",
    "/dev/pts/3",
    "pts/3",
    "10",
    "11",
  ]) {
    expect([text, found(text)]).toEqual([text, [one.row.id]]);
  }
  for (const text of ["tty:pts/7", "work:0.1", "pts/7", "/dev/pts/8"]) {
    expect([text, found(text)]).toEqual([text, [two.row.id]]);
  }
  for (const text of ["", "12", "tmux", "work", "pts/33"]) expect(found(text)).toEqual([]);
});

test("where a name is that of several, all are found, and an id is one terminal's", () => {
  const rows = ["t:1", "t:2"].map((id) =>
    explained({ row: terminal({ id, name: "same", pid: 10 }) }),
  );
  expect(findTerminals("same", rows)).toHaveLength(2);
  expect(findTerminals("t:2", rows)).toEqual([rows[1]]);
});
