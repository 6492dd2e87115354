import { execFile } from "node:child_process";
import { promisify } from "node:util";
import psList from "ps-list";
import { Observation } from "../src/inventory/observation.ts";
import type { Observed } from "../src/inventory/observed.ts";
import { LISTING_COMMAND } from "../src/inventory/tmux/listing.ts";
import { namesQuestion } from "../src/inventory/tmux/names.ts";
import { TmuxSource } from "../src/inventory/tmux.ts";
import { createProcessTable } from "../src/processes/index.ts";
import { systemClock } from "../src/time/clock.ts";
import { distribution, quantile } from "./lib/figures.ts";
import { BenchTmux } from "./lib/tmux.ts";

const PANES = 200;
const ROUNDS = 30;

const run = promisify(execFile);

/** One whole inventory of a host with 200 panes, rows made and nothing known before; beside it the tmux calls in
 * it alone, and what a program does that joins a list of panes with ps-list. */
export default async function inventory(): Promise<void> {
  const tmux = new BenchTmux();
  for (let pane = 2; pane < PANES; pane += 1) {
    tmux.run("new-window", "-d", "-t", "work:", "exec cat");
  }
  const list = (command: readonly string[]) => run("tmux", ["-u", "-S", tmux.socket, ...command]);
  const sides: Record<string, () => Promise<void>> = {
    "one inventory": () => takeInventory(tmux.socket),
    "baseline: its tmux listings alone": async () => {
      await list(LISTING_COMMAND);
      await list(namesQuestion().command);
    },
    "baseline: ps-list and list-panes": async () => {
      await Promise.all([psList(), list(["list-panes", "-a"])]);
    },
  };
  const samples = new Map<string, number[]>(Object.keys(sides).map((side) => [side, []]));
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [side, work] of Object.entries(sides)) {
        const began = performance.now();
        await work();
        samples.get(side)?.push(performance.now() - began);
      }
    }
    for (const [side, times] of samples) console.log(distribution(side, times));
    const [own, listings] = [...samples.values()].map((times) => quantile(times, 0.5));
    const ratio = ((own as number) / (listings as number)).toFixed(2);
    console.log(`ratio to the listings ${ratio}; goal: <= 1.5`);
  } finally {
    tmux.end();
  }
}

async function takeInventory(socket: string): Promise<void> {
  const clock = systemClock;
  const table = createProcessTable({ clock });
  const source = new TmuxSource({ clock, table, sockets: [socket] });
  const instance = "0".repeat(32);
  let last: Observed | undefined;
  const observation = new Observation(
    { clock, table, instance, agentSources: [], sources: [source] },
    {
      observed: (observed) => {
        last = observed;
      },
      bookmark: () => {},
      stopped: () => {},
    },
  );
  observation.acquire();
  await observation.fresh();
  observation.release();
  table.close();
  const rows = last?.terminals.rows.length ?? 0;
  if (rows < PANES) throw new Error(`Expected ${PANES} rows, got ${rows}`);
}
