import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { spawn as spawnShipped } from "node-pty";
import { quantile } from "../lib/figures.ts";
import { cpuMs } from "../lib/publisher.ts";
import { BenchTmux } from "../lib/tmux.ts";
import { ExpectBaseline } from "./lib/expect.ts";
import { hasProgram } from "./lib/has-program.ts";
import { Marks, markedAt } from "./lib/marks.ts";
import { PrivateHost } from "./lib/private-host.ts";
import { type Figure, report } from "./lib/report.ts";
import { after, inTurn } from "./lib/rounds.ts";
import { TmuxControl } from "./lib/tmux-control.ts";
import { WallClock } from "./lib/wall-clock.ts";

/** In each of 5 rounds. */
const MARKS = 40;
/** Fewer where each takes a tenth of a second. */
const POLLED_MARKS = 10;
const EXITS = 10;
const POLL_MS = 100;

const WAITS = 100;
const IDLE_TERMINALS = 10;
const IDLE_MS = 10_000;

const run = promisify(execFile);
let clock: WallClock;

/** Waits for something that a program writes, and answers how long after it was written that was known. */
type Reaction = () => Promise<number>;

/** B9. From a mark being written to whoever waits for it knowing, and from a program's last words to its end being known;
 * and what 100 waits cost that wait for nothing. */
export default async function waits(): Promise<void> {
  clock = await WallClock.set();
  const folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  const host = await PrivateHost.start();
  const tmux = new BenchTmux();
  const ends: (() => void)[] = [() => tmux.end()];
  try {
    const marks = (name: string) => {
      const made = new Marks(folder, name);
      ends.push(() => made.end());
      return made;
    };
    const scene = { host, tmux, ends };
    const reactions = {
      ours: await ourReaction(scene, marks("ours")),
      nodePty: nodePtyReaction(scene, marks("node-pty")),
      expect: expectReaction(scene, marks("expect")),
      control: controlReaction(scene, marks("control")),
      polling: pollingReaction(scene, marks("polling")),
    };
    await after(500);
    const repeat = (reaction: Reaction | undefined, count: number) => async () => {
      const times: number[] = [];
      for (let made = 0; made < count && reaction !== undefined; made += 1) {
        times.push(await reaction());
        await after(Math.random() * 10);
      }
      return times;
    };
    const match = await inTurn({
      ours: repeat(reactions.ours, MARKS),
      nodePty: repeat(reactions.nodePty, MARKS),
      expect: repeat(reactions.expect, MARKS),
      control: repeat(reactions.control, MARKS),
      polling: repeat(reactions.polling, POLLED_MARKS),
    });
    let exits = 0;
    const lastMarks = () => {
      exits += 1;
      return new Marks(folder, `exit-${exits}`, { last: true });
    };
    const exit = await inTurn({
      ours: repeat(() => ourExit(host, lastMarks()), EXITS),
      nodePty: repeat(() => nodePtyExit(lastMarks()), EXITS),
    });
    report("B9 waits", [
      ...[0.5, 0.99].map((share) => matchFigure(match, share)),
      {
        what: `program's last words to reply, p50 of ${exit.ours.length}`,
        unit: "ms",
        ours: quantile(exit.ours, 0.5),
        goal: { below: 3 },
        baselines: { "node-pty": quantile(exit.nodePty, 0.5) },
      },
      await idleFigure(scene),
    ]);
  } finally {
    for (const end of ends) end();
    await host.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Scene {
  readonly host: PrivateHost;
  readonly tmux: BenchTmux;
  readonly ends: (() => void)[];
}

function matchFigure(
  match: Record<"ours" | "nodePty" | "expect" | "control" | "polling", number[]>,
  share: number,
): Figure {
  const at = (times: readonly number[]) =>
    times.length === 0 ? undefined : quantile(times, share);
  return {
    what: `mark to reply, p${share * 100} of ${match.ours.length}`,
    unit: "ms",
    ours: quantile(match.ours, share),
    ...(share === 0.5 ? { goal: { below: 3 } } : {}),
    baselines: {
      "node-pty": at(match.nodePty),
      expect: at(match.expect),
      "tmux -C": at(match.control),
      [`tmux polled every ${POLL_MS} ms`]: at(match.polling),
    },
  };
}

async function ourReaction({ host }: Scene, marks: Marks): Promise<Reaction> {
  const session = host.connection.session("marks");
  const { id: target } = await session.open({
    cwd: "/",
    env: null,
    exec: [...marks.command],
    cols: 80,
    rows: 24,
  });
  return async () => {
    const { pattern, tell } = marks.next();
    const wait = { until: "match", pattern, timeoutMs: 10_000 } as const;
    const reading = session.read({ target, wait });
    // Answered after the wait has begun.
    await session.cursor({ target });
    tell();
    return sinceMark((await reading).text, pattern);
  };
}

async function ourExit(host: PrivateHost, marks: Marks): Promise<number> {
  const session = host.connection.session("exits");
  const { id: target } = await session.open({
    cwd: "/",
    env: null,
    exec: [...marks.command],
    cols: 80,
    rows: 24,
  });
  const { pattern, tell } = marks.next();
  const reading = session.read({ target, wait: { until: "exit", timeoutMs: 10_000 } });
  await session.cursor({ target });
  tell();
  const delay = sinceMark((await reading).text, pattern);
  await session.close({ target });
  marks.end();
  return delay;
}

function nodePtyReaction({ ends }: Scene, marks: Marks): Reaction {
  const [file, script] = marks.command;
  const pty = spawnShipped(file, [script], { cols: 80, rows: 24 });
  ends.push(() => pty.kill("SIGKILL"));
  return () => reactionTo(marks, (listener) => pty.onData(listener).dispose);
}

function nodePtyExit(marks: Marks): Promise<number> {
  const [file, script] = marks.command;
  const { pattern, tell } = marks.next();
  return new Promise((resolve) => {
    const pty = spawnShipped(file, [script], { cols: 80, rows: 24 });
    let text = "";
    pty.onData((more) => {
      text += more;
    });
    pty.onExit(() => {
      marks.end();
      resolve(sinceMark(text, pattern));
    });
    tell();
  });
}

function expectReaction({ ends }: Scene, marks: Marks): Reaction | undefined {
  if (!hasProgram("expect")) return undefined;
  const expect = new ExpectBaseline(marks.command);
  ends.push(() => expect.end());
  return () => reactionTo(marks, (listener) => expect.onFound(listener));
}

/** One client in control mode is told of all output. */
function controlReaction({ tmux, ends }: Scene, marks: Marks): Reaction {
  tmux.run("new-session", "-d", "-s", "told", "-x", "80", "-y", "24", ...marks.command);
  const control = new TmuxControl(tmux.socket, "told");
  ends.push(() => control.end());
  return () =>
    reactionTo(marks, (listener) => {
      control.onOutput = listener;
      return () => {};
    });
}

/** What is written by hand: the screen, captured again and again. */
function pollingReaction({ tmux }: Scene, marks: Marks): Reaction {
  tmux.run("new-session", "-d", "-s", "polled", "-x", "80", "-y", "24", ...marks.command);
  return async () => {
    const { pattern, tell } = marks.next();
    setTimeout(tell, Math.random() * POLL_MS);
    for (;;) {
      const text = await captured(tmux, "polled");
      if (markedAt(text, pattern) !== undefined) return sinceMark(text, pattern);
      await after(POLL_MS);
    }
  };
}

async function captured({ socket }: BenchTmux, target: string): Promise<string> {
  return (await run("tmux", ["-S", socket, "capture-pane", "-p", "-t", target])).stdout;
}

/** To pieces of text as they come. */
function reactionTo(
  marks: Marks,
  listen: (listener: (text: string) => void) => () => void,
): Promise<number> {
  const { pattern, tell } = marks.next();
  return new Promise((resolve) => {
    let text = "";
    const unlisten = listen((more) => {
      text += more;
      if (markedAt(text, pattern) === undefined) return;
      unlisten();
      resolve(sinceMark(text, pattern));
    });
    tell();
  });
}

function sinceMark(text: string, pattern: string): number {
  const now = clock.now();
  const at = markedAt(text, pattern);
  if (at === undefined) throw new Error(`there must be a mark in ${JSON.stringify(text)}`);
  return now - at;
}

/** What waits cost that wait for nothing, beside the same host without them and one who polls. */
async function idleFigure({ host, tmux }: Scene): Promise<Figure> {
  const session = host.connection.session("idle");
  const targets: string[] = [];
  for (let opened = 0; opened < IDLE_TERMINALS; opened += 1) {
    const options = { cwd: "/", env: null, exec: ["cat"], cols: 80, rows: 24 };
    targets.push((await session.open(options)).id);
  }
  await after(1_000);
  const share = async (pid: number) => {
    const before = cpuMs(pid);
    await after(IDLE_MS);
    return ((cpuMs(pid) - before) / IDLE_MS) * 100;
  };
  const without = await share(host.pid);
  const waiting = Array.from({ length: WAITS }, (_, number) =>
    session.read({
      target: targets[number % targets.length] ?? "",
      wait: { until: "match", pattern: `never-${number}`, timeoutMs: 600_000 },
    }),
  );
  await after(1_000);
  const ours = await share(host.pid);
  await session.closeSession();
  await Promise.all(waiting);
  return {
    what: `CPU of ${WAITS} waits for nothing`,
    unit: "%",
    ours,
    goal: { below: 1 },
    baselines: { "no wait": without, "one wait by polling tmux": await pollingShare(tmux) },
  };
}

/** Of whoever polls, with the processes that it starts, and of tmux. */
async function pollingShare(tmux: BenchTmux): Promise<number> {
  const before = [cpuMs(process.pid), cpuMs(tmux.pid)] as const;
  const end = performance.now() + IDLE_MS / 2;
  while (performance.now() < end) {
    await captured(tmux, "polled");
    await after(POLL_MS);
  }
  const used = cpuMs(process.pid) - before[0] + cpuMs(tmux.pid) - before[1];
  return (used / (IDLE_MS / 2)) * 100;
}
