import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn as spawnShipped } from "node-pty";
import { quantile } from "../lib/figures.ts";
import { BenchTmux } from "../lib/tmux.ts";
import { cpuShare, pollingShare } from "./lib/cpu-share.ts";
import { Marks } from "./lib/marks.ts";
import { PrivateHost } from "./lib/private-host.ts";
import {
  controlReaction,
  expectReaction,
  POLL_MS,
  pollingReaction,
  quantileOf,
  type Reaction,
  type ReactionScene,
  reactionTo,
  repeated,
  sinceMark,
} from "./lib/reactions.ts";
import { type Figure, report } from "./lib/report.ts";
import { after, inTurn } from "./lib/rounds.ts";
import { WallClock } from "./lib/wall-clock.ts";

/** In each of 5 rounds. */
const MARKS = 40;
/** Fewer where each takes a tenth of a second. */
const POLLED_MARKS = 10;
const EXITS = 10;

const WAITS = 100;
const IDLE_TERMINALS = 10;
const IDLE_MS = 10_000;

/** B9. From a mark being written to whoever waits for it knowing, and from a program's last words to its end being known;
 * and what 100 waits cost that wait for nothing. */
export default async function waits(): Promise<void> {
  const clock = await WallClock.set();
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
    const scene = { clock, host, tmux, ends };
    const reactions = {
      ours: await ourReaction(scene, marks("ours")),
      nodePty: nodePtyReaction(scene, marks("node-pty")),
      expect: expectReaction(scene, marks("expect")),
      control: controlReaction(scene, marks("control")),
      polling: pollingReaction(scene, marks("polling")),
    };
    await after(500);
    const match = await inTurn({
      ours: repeated(reactions.ours, MARKS),
      nodePty: repeated(reactions.nodePty, MARKS),
      expect: repeated(reactions.expect, MARKS),
      control: repeated(reactions.control, MARKS),
      polling: repeated(reactions.polling, POLLED_MARKS),
    });
    let exits = 0;
    const lastMarks = () => {
      exits += 1;
      return new Marks(folder, `exit-${exits}`, { last: true });
    };
    const exit = await inTurn({
      ours: repeated(() => ourExit(scene, lastMarks()), EXITS),
      nodePty: repeated(() => nodePtyExit(scene, lastMarks()), EXITS),
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

interface Scene extends ReactionScene {
  readonly host: PrivateHost;
}

function matchFigure(
  match: Record<"ours" | "nodePty" | "expect" | "control" | "polling", number[]>,
  share: number,
): Figure {
  const at = (times: readonly number[]) => quantileOf(times, share);
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

async function ourReaction({ clock, host }: Scene, marks: Marks): Promise<Reaction> {
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
    return sinceMark(clock, (await reading).text, pattern);
  };
}

async function ourExit({ clock, host }: Scene, marks: Marks): Promise<number> {
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
  const delay = sinceMark(clock, (await reading).text, pattern);
  await session.close({ target });
  marks.end();
  return delay;
}

function nodePtyReaction(scene: Scene, marks: Marks): Reaction {
  const [file, script] = marks.command;
  const pty = spawnShipped(file, [script], { cols: 80, rows: 24 });
  scene.ends.push(() => pty.kill("SIGKILL"));
  return () => reactionTo(scene, marks, (listener) => pty.onData(listener).dispose);
}

function nodePtyExit({ clock }: Scene, marks: Marks): Promise<number> {
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
      resolve(sinceMark(clock, text, pattern));
    });
    tell();
  });
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
  const without = await cpuShare(host.pid, IDLE_MS);
  const waiting = Array.from({ length: WAITS }, (_, number) =>
    session.read({
      target: targets[number % targets.length] ?? "",
      wait: { until: "match", pattern: `never-${number}`, timeoutMs: 600_000 },
    }),
  );
  await after(1_000);
  const ours = await cpuShare(host.pid, IDLE_MS);
  await session.closeSession();
  await Promise.all(waiting);
  return {
    what: `CPU of ${WAITS} waits for nothing`,
    unit: "%",
    ours,
    goal: { below: 1 },
    baselines: {
      "no wait": without,
      "one wait by polling tmux": await pollingShare(tmux, IDLE_MS / 2),
    },
  };
}
