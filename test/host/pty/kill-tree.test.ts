import { spawn } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { FORCED, GRACEFUL, killTree } from "../../../src/host/pty/kill-tree.ts";
import { processesOf, type TreeRoot } from "../../../src/host/pty/tree.ts";
import { createProcessTable } from "../../../src/processes/index.ts";
import type { ProcessKey } from "../../../src/processes/types.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";
import { until } from "../../processes/support.ts";
import { endAll, endProcess, PATH, type Running, script, start } from "./support.ts";

const clock = systemClock;
const table = createProcessTable({ clock });

const strays: number[] = [];
afterEach(async () => {
  for (const pid of strays.splice(0)) endProcess(pid);
  await endAll();
});

/** The process that a script told as `name=pid.`; ended with the test, whatever becomes of it. */
async function told(terminal: Running, name: string): Promise<number> {
  const form = new RegExp(`${name}=(\\d+)\\.`);
  const pid = Number(form.exec(await terminal.says(form))?.[1]);
  strays.push(pid);
  return pid;
}

function rootOf({ pty: { pid, tty } }: Running) {
  const root = table.read(pid);
  if (root === undefined) throw new Error("the program has ended already");
  return { pid, startTick: root.startTick, begunAt: clock.now(), tty };
}

const runs = (pid: number) => table.read(pid) !== undefined;

/** Resolves when the process runs this program by now, and not its parent's any more. */
const becomes = (pid: number, name: string) => until(() => table.read(pid)?.name === name);

describe("the tree of a terminal is ended", () => {
  test("with children that ignore SIGHUP, ignore SIGTERM, or run under nohup", async () => {
    const terminal = script(
      `trap '' HUP TERM; sh -c 'trap "" HUP TERM; echo deaf=$$.; while :; do sleep 0.05; done' &
       nohup sleep 300 >/dev/null 2>&1 & echo nohup=$!. ; echo ready; while :; do sleep 0.05; done`,
    );
    const pids = [await told(terminal, "deaf"), await told(terminal, "nohup"), terminal.pty.pid];
    const began = clock.monotonic();
    expect(await killTree(rootOf(terminal), { table, clock })).toEqual({ left: [] });
    expect(clock.monotonic() - began).toBeLessThan(3_000);
    expect(pids.filter(runs)).toEqual([]);
    expect(await terminal.exited).toMatchObject({ signal: "SIGKILL", drained: true });
  });

  test("with children that are in a session of their own", async () => {
    const terminal = script(
      "setsid sh -c 'echo own=$$.; exec sleep 300' & exec sleep 300 </dev/null",
    );
    const own = await told(terminal, "own");
    await becomes(own, "sleep");
    await killTree(rootOf(terminal), { table, clock });
    expect(runs(own)).toBe(false);
  });

  test("with children that forked twice, in its session and in one of their own", async () => {
    const terminal = script(
      `(sleep 300 & echo twice=$!.)
       setsid sh -c 'sleep 300 & echo own=$!.'
       echo ready; read line`,
    );
    const pids = [await told(terminal, "twice"), await told(terminal, "own")];
    await terminal.says("ready");
    for (const pid of pids) {
      await becomes(pid, "sleep");
      await until(() => table.read(pid)?.parent !== terminal.pty.pid);
    }
    expect(await killTree(rootOf(terminal), { table, clock })).toEqual({ left: [] });
    expect(pids.filter(runs)).toEqual([]);
  });

  test("when it is stopped itself, with a child that is stopped and deaf", async () => {
    const terminal = script(
      `sh -c 'trap "" HUP TERM; echo deaf=$$.; kill -STOP $$; while :; do sleep 0.05; done' &
       echo ready; while :; do sleep 0.05; done`,
    );
    const deaf = await told(terminal, "deaf");
    const isStopped = (pid: number) => table.read(pid)?.state === "T";
    await until(() => isStopped(deaf));
    process.kill(terminal.pty.pid, "SIGSTOP");
    await until(() => isStopped(terminal.pty.pid));
    expect(await killTree(rootOf(terminal), { table, clock })).toEqual({ left: [] });
    expect([deaf, terminal.pty.pid].filter(runs)).toEqual([]);
  });

  test("with what setsid took away from an interactive shell, which left it without a parent", async () => {
    const terminal = start({ file: "/bin/bash", args: ["--norc", "-i"], env: { PATH, PS1: "$ " } });
    await terminal.says("$ ");
    terminal.type("setsid sh -c 'echo own=$$.; exec sleep 300'\r");
    const own = await told(terminal, "own");
    await becomes(own, "sleep");
    await until(() => table.read(own)?.parent !== terminal.pty.pid);
    await killTree(rootOf(terminal), { table, clock });
    expect(runs(own)).toBe(false);
    await terminal.exited;
  });

  test("with jobs of an interactive shell, stopped ones too", async () => {
    const terminal = start({ file: "/bin/bash", args: ["--norc", "-i"], env: { PATH, PS1: "$ " } });
    await terminal.says("$ ");
    terminal.type("sh -c 'trap \"exit 0\" HUP; echo stopped=$$.; kill -STOP $$; sleep 300'\r");
    const stopped = await told(terminal, "stopped");
    await terminal.says("Stopped");
    terminal.type("sleep 300 & echo job=$!.\r");
    const job = await told(terminal, "job");
    const began = clock.monotonic();
    expect(await killTree(rootOf(terminal), { table, clock })).toEqual({ left: [] });
    // It took SIGHUP, so nobody had to wait for a stronger signal.
    expect(clock.monotonic() - began).toBeLessThan(GRACEFUL.hangupMs);
    expect([stopped, job].filter(runs)).toEqual([]);
    await terminal.exited;
  });

  test("after its program has ended, where others of its session still run", async () => {
    const terminal = script("trap '' HUP; sleep 300 & echo job=$!. ; read line");
    const job = await told(terminal, "job");
    const root = rootOf(terminal);
    terminal.type("\r");
    await terminal.exited;
    expect(runs(job)).toBe(true);
    expect(await killTree(root, { table, clock })).toEqual({ left: [] });
    expect(runs(job)).toBe(false);
  });

  test("after a program that had ended before anybody could look at it", async () => {
    const begunAt = clock.now();
    const terminal = script(
      "trap '' HUP; sleep 300 & echo job=$!.; setsid sleep 300 & echo own=$!.; exit 3",
    );
    await terminal.exited;
    const pids = [await told(terminal, "job"), await told(terminal, "own")];
    await becomes(pids[1] ?? 0, "sleep");
    const { pid, tty } = terminal.pty;
    const root = { pid, tty, begunAt, endedAt: clock.now() };
    expect(await killTree(root, { table, clock })).toEqual({ left: [] });
    expect(pids.filter(runs)).toEqual([]);
  });

  test("at once where that is asked for", async () => {
    const terminal = script("trap 'echo asked' HUP TERM; echo ready; while :; do sleep 0.02; done");
    await terminal.says("ready");
    await killTree(rootOf(terminal), { table, clock }, FORCED);
    expect(await terminal.exited).toMatchObject({ signal: "SIGKILL" });
    expect(terminal.text).not.toContain("asked");
  });

  test("but not what left it on purpose, or another terminal, or somebody who looks at this one", async () => {
    const terminal = script(
      `setsid sh -c '(exec sleep 300 </dev/null >/dev/null 2>&1) & echo daemon=$!.' ; echo ready; read line`,
    );
    const daemon = await told(terminal, "daemon");
    await terminal.says("ready");
    const other = script("echo ready; read line");
    await other.says("ready");
    // It holds the terminal open, from a terminal of its own.
    const watcher = script(`exec 3>>${terminal.pty.tty}; echo ready; read line`);
    await watcher.says("ready");
    const stranger = spawn("sleep", ["300"], { stdio: "ignore" });
    strays.push(stranger.pid ?? 0);
    await killTree(rootOf(terminal), { table, clock });
    await terminal.exited;
    const innocents = [daemon, other.pty.pid, watcher.pty.pid, stranger.pid ?? 0];
    expect(innocents.filter(runs)).toEqual(innocents);
  });
});

describe("on a made-up host", () => {
  const TTY = "/dev/pts/7";
  const root = { pid: 500, startTick: "1500", begunAt: 1_600_000_015_000, tty: TTY };
  const tools = (fake: FakeTable) => ({ table: fake, clock: new FakeClock() });
  const pids = async (
    fake: FakeTable,
    before: readonly ProcessKey[] = [root],
    of: TreeRoot = root,
  ) => (await processesOf(of, before, tools(fake))).map(({ pid }) => pid).sort((a, b) => a - b);
  const detached = { tty: undefined, parent: 1 };

  test("whoever has the number of a program that ended is not taken for it, nor what is theirs", async () => {
    const fake = new FakeTable();
    fake.set(processInfo(500, { startTick: "9000", tty: TTY }));
    fake.set(processInfo(501, { parent: 500, session: 500, tty: TTY }));
    expect(await pids(fake)).toEqual([]);
  });

  test.each([{ startTick: "1500" }, {}])(
    "what is left of its session is its own, a later session of that number is another's: %j",
    async (start) => {
      const { pid, begunAt, tty } = root;
      const ended = { pid, begunAt, tty, ...start, endedAt: begunAt + 1_000 };
      const fake = new FakeTable();
      fake.set(processInfo(501, { ...detached, session: 500, startTick: "1501" }));
      fake.set(processInfo(502, { ...detached, session: 500, startTick: "9000" }));
      expect(await pids(fake, [], ended)).toEqual([501, 502]);
      fake.end(501);
      expect(await pids(fake, [], ended)).toEqual([]);
    },
  );

  test("what began before the program is not its own, though it holds a terminal of that name", async () => {
    const fake = new FakeTable();
    fake.set(processInfo(500, { startTick: "1500", tty: TTY }));
    fake.set(processInfo(400, { ...detached, startTick: "1400" }), { openFiles: [TTY] });
    fake.set(processInfo(600, { ...detached, startTick: "1600" }), { openFiles: ["/x", TTY] });
    fake.set(processInfo(601, { ...detached, startTick: "1601" }), { openFiles: ["/dev/pts/77"] });
    fake.set(processInfo(602, { parent: 600, tty: undefined, startTick: "1602" }));
    expect(await pids(fake)).toEqual([500, 600, 602]);
  });

  test("a program that leads no session has not the terminal for itself", async () => {
    const fake = new FakeTable();
    fake.set(processInfo(300, { tty: TTY }));
    fake.set(processInfo(500, { session: 300, parent: 300, startTick: "1500", tty: TTY }));
    expect(await pids(fake)).toEqual([500]);
  });

  test("what was found once is known though its parent has ended", async () => {
    const fake = new FakeTable();
    const child = fake.set(processInfo(510, { ...detached }));
    fake.set(processInfo(511, { parent: 510, tty: undefined }));
    expect(await pids(fake, [root, child])).toEqual([510, 511]);
  });

  test("this process and those that it came from are nobody's", async () => {
    const fake = new FakeTable();
    fake.set(processInfo(500, { startTick: "1500", tty: TTY }));
    fake.set(processInfo(510, { parent: 500, session: 500, tty: TTY }));
    fake.set(processInfo(process.pid, { parent: 510, session: 500, tty: TTY }));
    expect(await pids(fake)).toEqual([]);
  });
});
