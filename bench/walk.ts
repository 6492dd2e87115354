import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import psList from "ps-list";
import { Observation } from "../src/inventory/observation.ts";
import type { Observed } from "../src/inventory/observed.ts";
import type { ObservedTerminal, TerminalSource } from "../src/inventory/terminal.ts";
import { TtySource } from "../src/inventory/ttys.ts";
import { createProcessTable } from "../src/processes/index.ts";
import type { ProcessTable } from "../src/processes/types.ts";
import { systemClock } from "../src/time/clock.ts";
import { quantile } from "./lib/figures.ts";
import { BenchTmux } from "./lib/tmux.ts";

const TERMINALS = 200;
/** Of them with a job beside the shell, so that there are some 300 processes. */
const JOBS = 100;
const ROUNDS = 40;
const WARM_UP_ROUNDS = 5;

/** What it costs to say whose all terminals are, from the process table alone: a walk over 200 terminals and some 300
 * processes, the first (nothing is known of any process) and the later ones; beside `psList()`, which tells neither
 * terminal nor argv nor directory. CPU is with that of child processes. */
export default async function walk(): Promise<void> {
  const tmux = new BenchTmux();
  try {
    for (let pane = 0; pane < TERMINALS; pane += 1) {
      const command = pane < JOBS ? "sleep 1000; :" : "exec cat";
      tmux.run("new-window", "-d", "-t", "work:", command);
    }
    await compare(statedBy(tmux));
  } finally {
    tmux.end();
  }
}

/** The panes as a source that answers at once would state them: asking tmux is not what is measured. */
function statedBy(tmux: BenchTmux): TerminalSource {
  const lines = tmux
    .run("list-panes", "-a", "-F", "#{pane_id} #{pane_pid} #{pane_tty}")
    .split("\n");
  const items = lines.map((line): ObservedTerminal => {
    const [id = "", pid, tty = ""] = line.split(" ");
    return { id: `tmux:bench/${id.slice(1)}`, state: "running", rootPid: Number(pid), tty };
  });
  return {
    scheme: "tmux",
    start: (onReading) => onReading({ at: systemClock.now(), finding: { kind: "rows", items } }),
    stop() {},
    tick() {},
    async read() {},
  };
}

async function compare(source: TerminalSource): Promise<void> {
  const table = createProcessTable({ clock: systemClock });
  const processes = [...(await table.sweep()).all()].length;
  const measures = [
    measure("walk, of processes all new", () => walkNew(source)),
    measure("walk, of processes known", await knowingWalk(table, source)),
    measure("baseline: psList()", () => psList()),
  ];
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round += 1) {
    for (const one of measures) await take(one, round >= WARM_UP_ROUNDS);
  }
  table.close();
  console.log(`${TERMINALS} terminals, ${processes} processes, ${ROUNDS} rounds, interleaved`);
  const baseline = quantile(measures.at(-1)?.cpu ?? [], 0.5);
  for (const { name, milliseconds, cpu, blocked } of measures) {
    const cost = quantile(cpu, 0.5);
    console.log(
      `  ${name.padEnd(30)} p50 ${show(quantile(milliseconds, 0.5))}  p95 ${show(quantile(milliseconds, 0.95))}` +
        `  CPU p50 ${show(cost)} (psList takes ${(baseline / cost).toFixed(1)} x)  longest block p50 ${show(quantile(blocked, 0.5))}` +
        `  p95 ${show(quantile(blocked, 0.95))}`,
    );
  }
}

async function walkNew(source: TerminalSource): Promise<void> {
  const table = createProcessTable({ clock: systemClock });
  const observation = observing(table, source);
  observation.acquire();
  await observation.fresh();
  observation.release();
  table.close();
}

/** A walk of an observation that goes on. */
async function knowingWalk(
  table: ProcessTable,
  source: TerminalSource,
): Promise<() => Promise<void>> {
  const observation = observing(table, source);
  observation.acquire();
  process.once("exit", () => observation.release());
  // What is known of a process is settled a second after it was first seen.
  for (let second = 0; second < 2; second += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await observation.fresh();
  }
  return () => observation.fresh();
}

function observing(table: ProcessTable, source: TerminalSource): Observation {
  const observed = (now: Observed) => {
    if (now.terminals.rows.length >= TERMINALS) return;
    throw new Error(`Expected ${TERMINALS} rows, got ${now.terminals.rows.length}`);
  };
  const sources = [source, new TtySource()];
  return new Observation(
    { clock: systemClock, table, instance: "0".repeat(32), sources, agentSources: [] },
    { observed, bookmark() {}, stopped() {} },
  );
}

interface Measure {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  readonly milliseconds: number[];
  readonly cpu: number[];
  /** The longest time that nothing else could run, of each round. */
  readonly blocked: number[];
}

const measure = (name: string, run: () => Promise<unknown>): Measure => {
  return { name, run, milliseconds: [], cpu: [], blocked: [] };
};

async function take(one: Measure, counts: boolean): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  // What ran before has its turn of the event loop to itself.
  await new Promise((resolve) => setTimeout(resolve, 10));
  delay.enable();
  const [began, cpu] = [performance.now(), cpuMilliseconds()];
  await one.run();
  const [took, spent] = [performance.now() - began, cpuMilliseconds() - cpu];
  await new Promise((resolve) => setTimeout(resolve, 2));
  delay.disable();
  if (!counts) return;
  one.milliseconds.push(took);
  one.cpu.push(spent);
  one.blocked.push(delay.max / 1e6);
}

/** What this process and its children that have ended took. The kernel counts children in ticks of 10 ms; over the
 * rounds that evens out. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync("/proc/self/stat", "latin1").split(") ")[1]?.split(" ") ?? [];
  return (user + system) / 1_000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

const show = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
