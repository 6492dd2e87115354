import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { harnessOf } from "../../../src/agents/harness.ts";
import { placesOf } from "../../../src/inventory/places.ts";
import { ownerOf } from "../../../src/inventory/whose.ts";
import { createSnapshot } from "../../../src/processes/snapshot.ts";
import type { ProcessInfo, ProcessKey } from "../../../src/processes/types.ts";
import { processInfo } from "../../lib/fake-table.ts";

interface Scene {
  /** The first one is the root. */
  readonly processes: readonly (ProcessInfo & { argv?: string[] })[];
  readonly agents?: readonly ProcessKey[];
  /** Terminals that have rows of their own. */
  readonly ttys?: readonly string[];
  /** Processes that the snapshot does not show. */
  readonly unseen?: readonly number[];
}

function owner({ processes, agents = [], ttys = [], unseen = [] }: Scene) {
  const argvs = new Map(processes.map(({ pid, argv }) => [pid, argv ?? []]));
  const [root] = processes;
  if (root === undefined) throw new Error("a scene needs a root");
  const snapshot = createSnapshot(
    0,
    processes.filter(({ pid }) => !unseen.includes(pid)),
  );
  const others = ttys.map((tty) => ({
    id: tty,
    root: processes.find((process) => process.tty === tty && process.session === process.pid),
  }));
  const harness = ({ pid }: ProcessInfo) => harnessOf(argvs.get(pid) ?? [], undefined);
  const { process, rule } = ownerOf({
    root,
    inside: placesOf({ terminals: [{ id: "here", root }, ...others] }, snapshot).in("here"),
    snapshot,
    isRun: ({ pid, startTick }) =>
      agents.some((agent) => agent.pid === pid && agent.startTick === startTick),
    harness,
    isInFront: ({ group, foregroundGroup }) => group === foregroundGroup,
  });
  return { pid: process.pid, rule, command: harness(process)?.command ?? argvs.get(process.pid) };
}

const running = (
  pid: number,
  argv: string[],
  fields: Partial<ProcessInfo> = {},
): ProcessInfo & { argv: string[] } => ({ ...processInfo(pid, fields), argv });

/** A shell that leads the terminal; the job in front is that of group `front`. */
const shell = (front = 10) => running(10, ["-bash"], { foregroundGroup: front, name: "bash" });

/** A job of the shell, in front unless said otherwise. */
const job = (pid: number, argv: string[], fields: Partial<ProcessInfo> = {}) =>
  running(pid, argv, { parent: 10, session: 10, foregroundGroup: pid, ...fields });

const keyOf = ({ pid, startTick }: ProcessInfo): ProcessKey => ({ pid, startTick });

describe("a terminal in which no agent runs", () => {
  test("is about the process that the manager started", () => {
    expect(owner({ processes: [shell()] })).toEqual({
      pid: 10,
      rule: "root",
      command: ["-bash"],
    });
  });

  test("stays with its shell whatever ordinary commands run in front", () => {
    const build = job(20, ["make", "claude"]);
    const editor = job(30, ["vim", "/src/claude"], { foregroundGroup: 20 });
    expect(owner({ processes: [shell(20), build, editor] }).pid).toBe(10);
  });

  test("stays with its shell when a word further back names a harness", () => {
    for (const argv of [
      ["sh", "-c", "claude"],
      ["grep", "codex"],
      ["node", "server.js", "claude"],
      ["node", "--title=claude", "app.js"],
      ["tail", "-f", "/home/me/claude"],
      ["node"],
      ["node", "-v"],
      [],
      [""],
    ]) {
      expect(owner({ processes: [shell(20), job(20, argv)] }).pid).toBe(10);
    }
  });
});

describe("a terminal in which a harness runs", () => {
  test("is about the harness, which is stated by its own name", () => {
    for (const [argv, command] of [
      [
        ["claude", "-c"],
        ["claude", "-c"],
      ],
      [
        ["/usr/local/bin/claude", "-c"],
        ["claude", "-c"],
      ],
      [
        ["node", "/usr/bin/claude", "-c"],
        ["claude", "-c"],
      ],
      [
        ["/opt/node/bin/node", "--no-warnings", "/usr/bin/codex", "exec"],
        ["codex", "exec"],
      ],
      [["bun", "/x/codex"], ["codex"]],
    ] as const) {
      expect(owner({ processes: [shell(20), job(20, [...argv])] })).toEqual({
        pid: 20,
        rule: "harness",
        command,
      });
    }
  });

  test("is about it though it was suspended or put into the background", () => {
    const suspended = job(20, ["claude"], { foregroundGroup: 10, state: "T" });
    expect(owner({ processes: [shell(), suspended] }).pid).toBe(20);
    const background = job(20, ["claude"], { foregroundGroup: 30 });
    expect(owner({ processes: [shell(30), background, job(30, ["vim"])] }).pid).toBe(20);
  });

  test("is about the one in front when there are several, else the newest", () => {
    const older = job(20, ["claude"], { startTick: "50" });
    const newer = job(30, ["codex"], { startTick: "60", foregroundGroup: 20 });
    expect(owner({ processes: [shell(20), older, newer] }).pid).toBe(20);
    const neither = [older, newer].map((process) => ({ ...process, foregroundGroup: 10 }));
    expect(owner({ processes: [shell(), ...neither] }).pid).toBe(30);
  });

  test("takes start ticks for numbers, however many digits they have", () => {
    const older = job(20, ["claude"], { startTick: "9999999999999999998", foregroundGroup: 10 });
    const newer = job(15, ["codex"], { startTick: "10000000000000000000", foregroundGroup: 10 });
    expect(owner({ processes: [shell(), older, newer] }).pid).toBe(15);
  });

  test("is about the program proper and not about what launched it", () => {
    const launcher = job(20, ["node", "/usr/bin/codex"]);
    const proper = job(21, ["/lib/codex"], { parent: 20, group: 20, foregroundGroup: 20 });
    expect(owner({ processes: [shell(20), launcher, proper] }).pid).toBe(21);
    // An older start does not make it one that was not started by the launcher.
    const early = { ...proper, startTick: "1" };
    expect(owner({ processes: [shell(20), launcher, early] }).pid).toBe(21);
  });

  test("is about it through a shell between it and what launched it", () => {
    const launcher = job(20, ["node", "/usr/bin/codex"]);
    const between = job(21, ["sh", "-c", "codex"], { parent: 20, group: 20, foregroundGroup: 20 });
    const proper = job(22, ["codex"], { parent: 21, group: 20, foregroundGroup: 20 });
    expect(owner({ processes: [shell(20), launcher, between, proper] }).pid).toBe(22);
  });

  test("stays about it when its tools are harnesses too, each a job of its own", () => {
    const agent = job(20, ["claude"]);
    const tool = running(30, ["sh", "-c", "codex exec"], { parent: 20, tty: undefined });
    const inner = running(31, ["codex", "exec"], { parent: 30, session: 30, tty: undefined });
    expect(owner({ processes: [shell(20), agent, tool, inner] }).pid).toBe(20);
  });

  test("stays about it when its tool is a harness that is behind an interpreter, or stated as a run before it", () => {
    const agent = job(20, ["node", "/usr/bin/claude"]);
    const tool = running(30, ["codex", "exec"], { parent: 20, session: 30, tty: undefined });
    const processes = [shell(20), agent, tool];
    expect(owner({ processes }).pid).toBe(20);
    expect(owner({ processes, agents: [keyOf(tool)] }).pid).toBe(20);
    expect(owner({ processes, agents: [keyOf(tool), keyOf(agent)] }).pid).toBe(20);
  });

  test("sees it through a wrapper with a terminal of its own", () => {
    const wrapper = job(20, ["script", "-c", "claude"]);
    const inner = running(30, ["claude"], { parent: 20, tty: "/dev/pts/9" });
    expect(owner({ processes: [shell(20), wrapper, inner] }).pid).toBe(30);
  });

  test("leaves to a terminal with a row of its own what is in that", () => {
    const server = job(20, ["tmux", "-D"]);
    const inner = running(30, ["-bash"], { parent: 20, tty: "/dev/pts/9", foregroundGroup: 31 });
    const agent = running(31, ["claude"], {
      parent: 30,
      session: 30,
      tty: "/dev/pts/9",
      foregroundGroup: 31,
    });
    const wrapped = running(40, ["codex"], { parent: 31, tty: "/dev/pts/12" });
    const processes = [shell(20), server, inner, agent, wrapped];
    expect(owner({ processes, ttys: ["/dev/pts/9"] }).pid).toBe(10);
    const agents = [keyOf(agent), keyOf(wrapped)];
    expect(owner({ processes, agents, ttys: ["/dev/pts/9"] }).pid).toBe(10);
  });
});

describe("a terminal in which runs of an agent are known", () => {
  test("is about the run in front, else the newest, and before any harness that is none", () => {
    const older = job(20, ["python", "agent"], { startTick: "50", foregroundGroup: 99 });
    const newer = job(30, ["python", "agent"], { startTick: "60", foregroundGroup: 99 });
    const front = job(99, ["claude"], { startTick: "70" });
    const processes = [shell(99), older, newer, front];
    const agents = [older, newer].map(keyOf);
    expect(owner({ processes, agents })).toEqual({
      pid: 30,
      rule: "run",
      command: ["python", "agent"],
    });
    expect(owner({ processes, agents: [...agents, keyOf(front)] }).pid).toBe(99);
    expect(owner({ processes, agents: [keyOf(older)] }).pid).toBe(20);
  });

  test("is about a run that only descends from its root, on another terminal or on none", () => {
    const detached = running(40, ["agent"], { parent: 30, tty: undefined });
    const between = job(30, ["sh"]);
    expect(owner({ processes: [shell(), between, detached], agents: [keyOf(detached)] }).pid).toBe(
      40,
    );
  });

  test("is about a run that only has its terminal, left behind by who started it", () => {
    const orphan = job(20, ["agent"], { parent: 1 });
    expect(owner({ processes: [shell(), orphan], agents: [keyOf(orphan)] }).pid).toBe(20);
  });

  test("is not about a run elsewhere", () => {
    const elsewhere = running(40, ["claude"], { parent: 1, tty: "/dev/pts/2" });
    expect(owner({ processes: [shell(), elsewhere], agents: [keyOf(elsewhere)] }).pid).toBe(10);
  });

  test("is not about a process that only got the number of a run", () => {
    const recycled = job(20, ["make"]);
    expect(
      owner({ processes: [shell(20), recycled], agents: [{ pid: 20, startTick: "1" }] }).pid,
    ).toBe(10);
  });

  test("states a run that is a harness as that, and any other by its argv", () => {
    const run = job(20, ["node", "/usr/bin/claude", "-c"]);
    expect(owner({ processes: [shell(20), run], agents: [keyOf(run)] }).command).toEqual([
      "claude",
      "-c",
    ]);
  });
});

describe("whatever the processes are", () => {
  test("parents that form a circle hide no harness", () => {
    const processes = [
      running(10, ["-bash"], { parent: 30 }),
      running(20, ["claude"], { parent: 10 }),
      running(30, ["codex"], { parent: 20 }),
    ];
    expect([20, 30]).toContain(owner({ processes }).pid);
    expect(owner({ processes: [running(5, ["claude"], { parent: 5 })] }).pid).toBe(5);
  });

  test("a root that the snapshot does not show has nothing of what had its device before", () => {
    const before = job(20, ["claude"], { parent: 11, session: 11 });
    expect(owner({ processes: [shell(), before], unseen: [10], agents: [keyOf(before)] }).pid).toBe(
      10,
    );
  });

  test("terminals without a device have nothing in common", () => {
    const root = running(10, ["sh"], { tty: undefined });
    const stranger = running(20, ["claude"], { tty: undefined });
    expect(owner({ processes: [root, stranger] }).pid).toBe(10);
  });

  test("the answer is one process in the terminal, the same in any order", () => {
    const process = fc.record({
      parent: fc.integer({ min: 1, max: 14 }),
      group: fc.integer({ min: 9, max: 14 }),
      front: fc.integer({ min: 9, max: 14 }),
      tty: fc.constantFrom(undefined, "/dev/pts/1", "/dev/pts/2", "/dev/pts/3"),
      tick: fc.integer({ min: 1, max: 3 }),
      argv: fc.constantFrom(["claude"], ["node", "codex"], ["sh"], []),
      isRun: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(process, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        (made, order) => {
          const ttyOf = (index: number) => (index === 0 ? "/dev/pts/1" : made[index]?.tty);
          const processes = made.map(({ parent, group, front, tick, argv }, index) => {
            const tty = ttyOf(index);
            // A terminal has one session, which its first process leads here.
            const leader = made.findIndex((_, other) => ttyOf(other) === tty);
            return running(9 + index, [...argv], {
              parent,
              group,
              session: tty === undefined ? 9 + index : 9 + leader,
              foregroundGroup: front,
              tty,
              startTick: `${tick}`,
            });
          });
          const agents = processes.filter((_, index) => made[index]?.isRun).map(keyOf);
          const [root, ...others] = processes;
          if (root === undefined) return;
          const shuffled = others
            .map((process) => ({ process, at: order.next().value ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ process }) => process);
          const ttys = ["/dev/pts/2"];
          const answer = owner({ processes, agents, ttys });
          expect(owner({ processes: [root, ...shuffled], agents, ttys })).toEqual(answer);
          const process = processes.find(({ pid }) => pid === answer.pid);
          expect(process).toBeDefined();
          expect(process?.tty).not.toBe("/dev/pts/2");
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
