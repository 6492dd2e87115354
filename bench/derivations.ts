import {
  type AgentRow,
  classify,
  type TerminalRow,
  terminalsOf,
} from "../src/contract/derivations.ts";
import { quantile } from "./lib/figures.ts";

const ROWS = 10_000;
const WARM_UP_ROUNDS = 10;
const ROUNDS = 50;
/** Sessions for which the baseline is really taken in each round. The rest is extrapolated. */
const SAMPLE = 20;
const GOAL_MS = 20;

const INSTANCE = "0123456789abcdef0123456789abcdef";

const sidOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;

/** Nine of ten terminals have a run in them; the others are shells and agents on their way up. */
const terminals: TerminalRow[] = Array.from({ length: ROWS }, (_, index) => ({
  instance: INSTANCE,
  pid: 10_000 + index,
  command: index % 20 === 0 ? ["zsh"] : ["/usr/bin/claude", "-c"],
}));

const agents: AgentRow[] = Array.from({ length: ROWS }, (_, index) => ({
  instance: INSTANCE,
  pid: 10_000 + (index % 10 === 0 ? ROWS + index : index),
  sid: sidOf(index),
}));

/** How long it takes to sort all terminals by their sessions at once, beside asking for each session
 * in turn. */
export default async function derivations(): Promise<void> {
  const atOnce: number[] = [];
  const inTurn: number[] = [];
  let attached = 0;
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const classifying = millisecondsOf(() => {
      attached = classify(terminals, agents).attached.length;
    });
    const asking = millisecondsOf(() => {
      for (let n = 0; n < SAMPLE; n += 1) {
        terminalsOf(sidOf((round * SAMPLE + n) % ROWS), agents, terminals);
      }
    });
    if (round < WARM_UP_ROUNDS) continue;
    atOnce.push(classifying);
    inTurn.push((asking / SAMPLE) * ROWS);
  }
  console.log(`${ROWS} terminals, ${ROWS} agents, ${attached} attached, ${ROUNDS} rounds in turn`);
  console.log(`classify() of all               ${quantiles(atOnce)}   goal: p50 < ${GOAL_MS} ms`);
  console.log(
    `terminalsOf() for each session  ${quantiles(inTurn)}   baseline, extrapolated from ${SAMPLE} sessions a round`,
  );
}

function millisecondsOf(task: () => void): number {
  const start = performance.now();
  task();
  return performance.now() - start;
}

function quantiles(values: readonly number[]): string {
  const at = (share: number) => quantile(values, share).toFixed(2).padStart(9);
  return `least ${at(0)}  p50 ${at(0.5)}  p95 ${at(0.95)} ms`;
}
