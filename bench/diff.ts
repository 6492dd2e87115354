import type { TerminalInfo } from "../src/contract/terminals.ts";
import { ElementFeed } from "../src/topics/elements.ts";
import { quantile } from "./lib/figures.ts";

const ROWS = 10_000;
const CHANGED = 100;
const WARM_UP_ROUNDS = 20;
const ROUNDS = 100;
const GOAL_MS = 5;

const INSTANCE = "0123456789abcdef0123456789abcdef";

/** A row as a tmux pane gives it. */
function row(index: number, version: number): TerminalInfo {
  return {
    instance: INSTANCE,
    id: `tmux:default@4711.1700000000/${index}`,
    state: "running",
    command: ["claude", "--continue", "--model", "opus"],
    cwd: `/home/user/projects/project-${index}`,
    pid: 10_000 + index,
    started_at: 1_700_000_000_000 + index,
    start_tick: String(5_000_000 + index),
    root_pid: 20_000 + index,
    tty: `/dev/pts/${index}`,
    name: `work:${index}.0`,
    title: `project ${index}, state ${version}`,
    cols: 200,
    rows: 50,
    viewers: 1,
    activity_at: 1_700_000_000_000,
  };
}

/** All rows, in objects and strings of their own, as every reading makes them from what it was
 * answered. In each round the next 100 have changed. */
function reading(round: number): TerminalInfo[] {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    return row(index, Math.floor((round * CHANGED - 1 - index) / ROWS));
  });
  return JSON.parse(JSON.stringify(rows));
}

/** How long a reading of 10 000 rows, of which 100 differ, takes to become what is published, beside
 * writing the same rows as JSON text. All are run in turn, so that a busy machine meets them alike. */
export default async function diff(): Promise<void> {
  const feed = new ElementFeed("terminals", INSTANCE, "0123456789abcdef");
  const publish: number[] = [];
  const encode: number[] = [];
  const stringify: number[] = [];
  let told = 0;
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const rows = reading(round);
    const from = feed.position;
    const publishing = millisecondsOf(() => {
      feed.publish({ rows, removedAt: 0, reasonOf: () => "closed" });
    });
    const encoding = millisecondsOf(() => feed.since(from));
    const writing = millisecondsOf(() => JSON.stringify(rows));
    const frames = feed.since(from) ?? [];
    feed.forget(feed.position);
    if (round < WARM_UP_ROUNDS) continue;
    publish.push(publishing);
    encode.push(encoding);
    stringify.push(writing);
    for (const frame of frames) told += JSON.parse(frame.toString()).data.terminals.length;
  }
  console.log(`${ROWS} rows, ${told / ROUNDS} changed, ${ROUNDS} rounds in turn`);
  console.log(`publish()              ${quantiles(publish)}   goal: p50 < ${GOAL_MS} ms`);
  console.log(`the frame of it        ${quantiles(encode)}`);
  console.log(`JSON.stringify of all  ${quantiles(stringify)}   baseline`);
}

function millisecondsOf(task: () => void): number {
  const start = performance.now();
  task();
  return performance.now() - start;
}

function quantiles(values: readonly number[]): string {
  const at = (share: number) => quantile(values, share).toFixed(2).padStart(6);
  return `least ${at(0)}  p50 ${at(0.5)}  p95 ${at(0.95)} ms`;
}
