import type { Status } from "pidusage";
import type { ProcessKey, ProcessTable } from "../../processes/types.ts";
import type { Clock } from "../../time/clock.ts";
import { askPidusage } from "./ask.ts";
import type { Figures, Measure } from "./figures.ts";

/** How many processes are asked for at once where each is read in procfs: some 1 ms of our own time, so that others get
 * to run in between. */
const READ_AT_ONCE = 32;

/** The same where one `ps` lists them: as many as a command line holds in any case. */
const LISTED_AT_ONCE = 1_000;

/** What a start tick is in milliseconds, and how far the ages of two processes may be from what their ticks say: procfs
 * is exact, `ps` prints ages and starts in whole seconds. */
const PROCFS = { tickMs: 10, slackMs: 5 };
const PS = { tickMs: 1_000, slackMs: 2_500 };

export interface MeasureOptions {
  readonly clock: Clock;
  /** Where the processes come from that are to be measured. */
  readonly table: ProcessTable;
}

/** Measures with pidusage: in procfs where there is one, else by `ps`.
 *
 * Our own process is always asked for along with the others. It lives, so no call fails because all have ended that it
 * was made for. And the ages that one call states are of one instant, so the difference of two is that of the starts:
 * this tells a process from another one that has its number by now. */
export function createMeasure({ clock, table }: MeasureOptions): Measure {
  const usePs = table.limited === "no_proc";
  const atOnce = usePs ? LISTED_AT_ONCE : READ_AT_ONCE;
  const { tickMs, slackMs } = usePs ? PS : PROCFS;

  const measureSome = async (some: readonly ProcessKey[], figures: Map<number, Figures>) => {
    const at = clock.monotonic();
    const ourTick = table.read(process.pid)?.startTick;
    const pids = new Set([...some.map(({ pid }) => pid), process.pid]);
    const statuses = await askPidusage([...pids], usePs);
    const us = statuses[process.pid];
    if (!us || ourTick === undefined) throw new Error("our own process could not be measured");
    for (const { pid, startTick } of some) {
      const status = statuses[pid];
      if (!status) continue;
      const apart = (Number(startTick) - Number(ourTick)) * tickMs;
      const isAnother = Math.abs(us.elapsed - status.elapsed - apart) > slackMs;
      const measured = isAnother ? undefined : figuresOf(status, at);
      if (measured !== undefined) figures.set(pid, measured);
    }
  };

  return (processes) =>
    inTurn(async () => {
      const figures = new Map<number, Figures>();
      for (let from = 0; from < processes.length; from += atOnce) {
        await measureSome(processes.slice(from, from + atOnce), figures);
      }
      return figures;
    });
}

/** What pidusage states as a share is of the whole life of the process, so what it has waited for is what goes beyond
 * its own time. Undefined where it understood nothing. */
function figuresOf(status: Status, at: number): Figures | undefined {
  const { cpu, ctime: ranMs, elapsed, memory: memoryBytes } = status;
  const waitedMs = Math.max(0, Math.round((cpu * Math.abs(elapsed)) / 100 - ranMs));
  if (![ranMs, waitedMs, memoryBytes, elapsed].every(Number.isFinite)) return undefined;
  return { ranMs, waitedMs, memoryBytes, ageMs: Math.max(0, elapsed), at };
}

let underWay: Promise<unknown> = Promise.resolve();

/** Runs one after another, whoever asks: pidusage remembers for the whole process. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = underWay.then(work);
  underWay = next.catch(() => {});
  return next;
}
