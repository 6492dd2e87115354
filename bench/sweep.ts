import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import psList from "ps-list";
import { createProcfsTable } from "../src/processes/procfs.ts";
import type { ProcessTable } from "../src/processes/types.ts";
import { type Clock, systemClock } from "../src/time/clock.ts";

/** Enough for a 95th percentile within some ten seconds, most of which the baselines take. */
const ROUNDS = 60;
const WARM_UP_ROUNDS = 5;

/** Processes started beside those of the host: a sweep of few fits into one slice. */
const CROWD = 1000;

const printAll = promisify(execFile);

/** The time on the wall has in it what other processes took of the CPU meanwhile. */
interface Slice {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
}

interface Measured {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  readonly milliseconds: number[];
  /** Of this process alone: what a `ps` takes in its own is not in it. */
  readonly cpuMilliseconds: number[];
}

/** How long a sweep of all processes takes, how long it keeps others from running at most, and what
 * it costs; beside other ways to learn less. All are run in turn, so that a change of the
 * machine's mood meets them alike. */
export default async function sweep(): Promise<void> {
  await compare();
  const endCrowd = await startCrowd(CROWD);
  try {
    await compare();
  } finally {
    endCrowd();
  }
}

async function startCrowd(size: number): Promise<() => void> {
  const script = `i=0; while [ $i -lt ${size} ]; do sleep 1000 & i=$((i+1)); done; echo; wait`;
  const shell = spawn("sh", ["-c", script], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = () => {
    if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
  };
  // Also where the benchmark is cut short: nobody else knows of a thousand processes.
  process.once("exit", end);
  await once(shell.stdout, "data");
  return () => {
    process.off("exit", end);
    end();
  };
}

async function compare(): Promise<void> {
  const slices: Slice[] = [];
  const table = createSlicedTable(slices);
  const held = [...(await table.sweep()).all()].flatMap(
    ({ pid, startTick }) => table.hold(pid, startTick) ?? [],
  );
  const known = new Set(held.map(({ pid }) => pid));
  const measured: Measured[] = [
    measure("sweep", () => table.sweep()),
    measure("held descriptors of all", async () => held.map((process) => process.read())),
    measure("newcomers, none new", async () => table.newcomers(known)),
    measure("baseline: psList()", () => psList()),
    measure("baseline: one ps -eo", () =>
      printAll("ps", ["-ewwo", "pid,ppid,pgid,tpgid,sess,tty,stat,lstart,comm"]),
    ),
    measure("baseline: async readFile of each stat", readEachStat),
  ];
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
    if (round === WARM_UP_ROUNDS) slices.length = 0;
    for (const one of measured) await takeOne(one, round >= WARM_UP_ROUNDS);
  }
  table.close();

  console.log(`${held.length} processes, ${ROUNDS} rounds, interleaved`);
  for (const { name, milliseconds, cpuMilliseconds } of measured) {
    printFigures(name, [
      `p50 ${quantile(milliseconds, 0.5)} ms`,
      `p95 ${quantile(milliseconds, 0.95)} ms`,
      `CPU p50 ${quantile(cpuMilliseconds, 0.5)} ms`,
    ]);
  }
  for (const [kind, values] of [
    ["", slices.map(({ milliseconds }) => milliseconds)],
    [", its CPU", slices.map(({ cpuMilliseconds }) => cpuMilliseconds)],
  ] as const) {
    printFigures(`one of ${slices.length} blocking slices${kind}`, [
      `p50 ${quantile(values, 0.5)} ms`,
      `p99 ${quantile(values, 0.99)} ms`,
      `max ${quantile(values, 1)} ms`,
    ]);
  }
}

function printFigures(name: string, figures: readonly string[]): void {
  console.log(
    `  ${name.padEnd(44)}${figures
      .map((figure) => figure.padEnd(18))
      .join("")
      .trimEnd()}`,
  );
}

function measure(name: string, run: () => Promise<unknown>): Measured {
  return { name, run, milliseconds: [], cpuMilliseconds: [] };
}

async function takeOne(one: Measured, counts: boolean): Promise<void> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await one.run();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  if (!counts) return;
  one.milliseconds.push(took);
  one.cpuMilliseconds.push((user + system) / 1000);
}

/** A table that notes how long each slice of a sweep has kept the event loop. A sweep reads the
 * wall clock when it begins, which is when its first slice does. */
function createSlicedTable(slices: Slice[]): ProcessTable {
  let began = performance.now();
  let cpu = process.cpuUsage();
  const begin = () => {
    began = performance.now();
    cpu = process.cpuUsage();
  };
  const end = () => {
    const milliseconds = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    slices.push({ milliseconds, cpuMilliseconds: (user + system) / 1000 });
  };
  const clock: Clock = {
    ...systemClock,
    now() {
      begin();
      return systemClock.now();
    },
  };
  const pause = async () => {
    end();
    await new Promise((resolve) => setImmediate(resolve));
    begin();
  };
  const table = createProcfsTable({ clock, pause });
  return {
    ...table,
    async sweep() {
      const snapshot = await table.sweep();
      end();
      return snapshot;
    },
  };
}

async function readEachStat(): Promise<void> {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  await Promise.allSettled(pids.map((pid) => readFile(`/proc/${pid}/stat`)));
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1);
  return (sorted[Math.max(0, index)] ?? Number.NaN).toFixed(2);
}
