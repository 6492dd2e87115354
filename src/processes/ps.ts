import psList, { type ProcessDescriptor } from "ps-list";
import type { Clock } from "../time/clock.ts";
import { shareRuns } from "../time/share-runs.ts";
import { splitCommandLine } from "./arguments.ts";
import { darwinBootId, linuxBootId } from "./boot.ts";
import { ttyDevice } from "./device.ts";
import { printPs, withDeadline } from "./ps-run.ts";
import { type PsLine, parsePs } from "./ps-text.ts";
import { createSnapshot } from "./snapshot.ts";
import type { ProcessInfo, ProcessTable, ProcessTableLimit } from "./types.ts";

/** `ps` prints a start in whole seconds, and Linux derives them from two clocks, so that one
 * process may be printed a second apart from one run to the next. */
const START_JITTER_SECONDS = 1;

export interface PsOptions {
  readonly clock: Clock;
  readonly limited: ProcessTableLimit;
  /** A procfs that shows some processes: these are read there, the others are taken from `ps`. */
  readonly near?: ProcessTable;
  readonly platform?: NodeJS.Platform;
  /** Lists processes with their command lines. Default: ps-list. */
  readonly list?: () => Promise<ProcessDescriptor[]>;
  /** Prints `PS_COLUMNS` of all processes. Default: one run of `ps`. */
  readonly print?: (signal: AbortSignal) => Promise<string>;
  readonly deviceOf?: (path: string) => number | undefined;
  /** Whether the number belongs to any process. Default: kill(2) with signal 0. */
  readonly exists?: (pid: number) => boolean;
}

/** A process that only `ps` has shown. */
interface Entry {
  readonly info: ProcessInfo;
  readonly command: string;
  readonly listed: ProcessDescriptor;
}

/** The process table where procfs does not show every process: macOS, and Linux with `hidepid`. A
 * list with command lines comes from ps-list, the rest from one more `ps`; a process is stated when
 * both have it. Between sweeps it answers from the last one. Working directories and environments
 * are not to be had from `ps`; macOS would tell them through lsof(8), which takes seconds for all
 * processes of a host. */
export function createPsTable({
  clock,
  limited,
  near,
  platform = process.platform,
  list = psList,
  print = printPs,
  deviceOf = ttyDevice,
  exists = isTaken,
}: PsOptions): ProcessTable {
  let last: ReadonlyMap<number, Entry> = new Map();
  let bootId = near?.bootId;
  const closing = new AbortController();

  const sweep = shareRuns(async () => {
    const takenAt = clock.now();
    const [listed, printed] = await withDeadline(clock, closing.signal, (signal) =>
      Promise.all([list(), print(signal)]),
    );
    const lines = parsePs(printed, { platform, deviceOf });
    if (lines.length === 0) throw new Error("`ps` listed no process in the form asked for");
    const infos: ProcessInfo[] = [];
    const entries = new Map<number, Entry>();
    for (const entry of join(listed, lines)) {
      const { pid } = entry.info;
      const read = near?.read(pid);
      if (read === undefined && exists(pid)) entries.set(pid, steady(entry, last.get(pid)));
      const info = read ?? entries.get(pid)?.info;
      if (info !== undefined) infos.push(info);
    }
    last = entries;
    return createSnapshot(takenAt, infos);
  });

  const printed = (pid: number) => (exists(pid) ? last.get(pid) : undefined);

  return {
    kind: "ps",
    limited,
    get bootId() {
      bootId ??= platform === "darwin" ? darwinBootId() : linuxBootId("/proc");
      return bootId;
    },
    sweep,
    read: (pid) => near?.read(pid) ?? printed(pid)?.info,
    argv: (pid) => near?.argv(pid) ?? argumentsOf(printed(pid)),
    cwd: (pid) => near?.cwd(pid),
    exe: (pid) => near?.exe(pid) ?? (printed(pid)?.listed.path || undefined),
    environment: (pid) => near?.environment(pid),
    openFiles: (pid) => near?.openFiles(pid),
    startedAt(key) {
      const isPrinted = near === undefined || last.get(key.pid)?.info.startTick === key.startTick;
      return isPrinted ? Number(key.startTick) * 1000 : near.startedAt(key);
    },
    newcomers(known) {
      const unknown = [...last.keys()].filter((pid) => !known.has(pid));
      const infos = unknown.map((pid) => printed(pid)?.info).filter((info) => info !== undefined);
      return [...(near?.newcomers(new Set([...known, ...unknown])) ?? []), ...infos];
    },
    hold(pid, startTick) {
      const held = near?.hold(pid, startTick);
      if (held !== undefined) return held;
      let isHeld = true;
      const again = () => {
        const info = isHeld ? printed(pid)?.info : undefined;
        return info?.startTick === startTick ? info : undefined;
      };
      const release = () => {
        isHeld = false;
      };
      return again() && { pid, read: again, hasRun: () => true, release };
    },
    close() {
      near?.close();
      closing.abort(new Error("the process table was closed"));
    },
  };
}

/** The two runs of `ps` are not of one instant: a process that one of them missed began or ended
 * between them. */
function join(listed: readonly ProcessDescriptor[], lines: readonly PsLine[]): Entry[] {
  const descriptors = new Map(listed.map((descriptor) => [descriptor.pid, descriptor]));
  return lines.flatMap((line) => {
    const descriptor = descriptors.get(line.info.pid);
    return descriptor === undefined ? [] : [{ ...line, listed: descriptor }];
  });
}

function steady(entry: Entry, last: Entry | undefined): Entry {
  if (last === undefined) return entry;
  const { startTick } = last.info;
  const apart = Math.abs(Number(entry.info.startTick) - Number(startTick));
  return apart > START_JITTER_SECONDS ? entry : { ...entry, info: { ...entry.info, startTick } };
}

/** `ps` prints `[name]` for a process without arguments. */
function argumentsOf(entry: Entry | undefined): string[] | undefined {
  if (entry === undefined) return undefined;
  const line = entry.listed.cmd ?? entry.command;
  return line === `[${entry.command}]` ? [] : splitCommandLine(line, entry.command);
}

/** A process of somebody else refuses the signal, which shows that it is there. */
function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
