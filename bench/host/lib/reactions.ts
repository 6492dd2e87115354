import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { quantile } from "../../lib/figures.ts";
import type { BenchTmux } from "../../lib/tmux.ts";
import { ExpectBaseline } from "./expect.ts";
import { hasProgram } from "./has-program.ts";
import { type Marks, markedAt } from "./marks.ts";
import { after } from "./rounds.ts";
import { TmuxControl } from "./tmux-control.ts";
import type { WallClock } from "./wall-clock.ts";

/** How far apart looks of those are who poll, in milliseconds. */
export const POLL_MS = 100;

const run = promisify(execFile);

/** Waits for something that a program writes, and answers how long after it was written that was known, in milliseconds. */
export type Reaction = () => Promise<number>;

/** What reactions happen on. */
export interface ReactionScene {
  readonly clock: WallClock;
  readonly tmux: BenchTmux;
  /** Run when all is measured. */
  readonly ends: (() => void)[];
}

/** Makes a reaction so many times, one after the other. */
export function repeated(reaction: Reaction | undefined, count: number): () => Promise<number[]> {
  return async () => {
    const times: number[] = [];
    for (let made = 0; made < count && reaction !== undefined; made += 1) {
      times.push(await reaction());
      await after(Math.random() * 10);
    }
    return times;
  };
}

/** A share of the samples of a reaction; undefined where there are none, as its program is not there. */
export function quantileOf(times: readonly number[], share: number): number | undefined {
  return times.length === 0 ? undefined : quantile(times, share);
}

/** How long ago a mark of a text was written. */
export function sinceMark(clock: WallClock, text: string, pattern: string): number {
  const now = clock.now();
  const at = markedAt(text, pattern);
  if (at === undefined) throw new Error(`there must be a mark in ${JSON.stringify(text)}`);
  return now - at;
}

/** To pieces of text as they come. */
export function reactionTo(
  { clock }: Pick<ReactionScene, "clock">,
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
      resolve(sinceMark(clock, text, pattern));
    });
    tell();
  });
}

/** Undefined where expect(1) is not installed. */
export function expectReaction(scene: ReactionScene, marks: Marks): Reaction | undefined {
  if (!hasProgram("expect")) return undefined;
  const expect = new ExpectBaseline(marks.command);
  scene.ends.push(() => expect.end());
  return () => reactionTo(scene, marks, (listener) => expect.onFound(listener));
}

/** One client in control mode is told of all output. */
export function controlReaction(scene: ReactionScene, marks: Marks): Reaction {
  const { tmux, ends } = scene;
  tmux.run("new-session", "-d", "-s", "told", "-x", "80", "-y", "24", ...marks.command);
  const control = new TmuxControl(tmux.socket, "told");
  ends.push(() => control.end());
  return () =>
    reactionTo(scene, marks, (listener) => {
      control.onOutput = listener;
      return () => {};
    });
}

/** What is written by hand: the screen of the session `polled`, captured again and again. */
export function pollingReaction({ clock, tmux }: ReactionScene, marks: Marks): Reaction {
  tmux.run("new-session", "-d", "-s", "polled", "-x", "80", "-y", "24", ...marks.command);
  return async () => {
    const { pattern, tell } = marks.next();
    setTimeout(tell, Math.random() * POLL_MS);
    for (;;) {
      const text = await captured(tmux, "polled");
      if (markedAt(text, pattern) !== undefined) return sinceMark(clock, text, pattern);
      await after(POLL_MS);
    }
  };
}

/** The screen of a session. */
export async function captured({ socket }: BenchTmux, target: string): Promise<string> {
  return (await run("tmux", ["-S", socket, "capture-pane", "-p", "-t", target])).stdout;
}
