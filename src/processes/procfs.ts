import { Buffer } from "node:buffer";
import type { Clock } from "../time/clock.ts";
import { shareRuns } from "../time/share-runs.ts";
import { splitArguments, splitEnvironment } from "./arguments.ts";
import { linuxBootId } from "./boot.ts";
import { openFilesIn } from "./descriptors.ts";
import { readInto, readKernelLink } from "./files.ts";
import { holdProcess } from "./hold.ts";
import { listPids, walkPids } from "./listing.ts";
import { createSnapshot } from "./snapshot.ts";
import { createStartTimes } from "./started.ts";
import { parseStat, STAT_BYTES } from "./stat.ts";
import type { HeldProcess, ProcessInfo, ProcessSnapshot, ProcessTable } from "./types.ts";

/** How long a sweep reads before it lets others run. The bound is 5 ms; the rest is for one slow
 * reading and a slow machine. */
export const SLICE_MS = 3;

/** More arguments than any row states. What is beyond is cut off. */
const ARGUMENTS_BYTES = 64 * 1024;
/** Twice the largest environment that shells are commonly started with. */
const ENVIRONMENT_BYTES = 256 * 1024;

export interface ProcfsOptions {
  readonly clock: Clock;
  /** Where procfs is mounted. Default `/proc`. */
  readonly root?: string;
  /** Lets others run between two slices of a sweep. Default: one turn of the event loop. */
  readonly pause?: () => Promise<void>;
}

/** The process table of Linux. Readings are synchronous: opening and reading a file of procfs never
 * waits for a disk, and sending each to a thread and back costs several times the reading. */
export function createProcfsTable({
  clock,
  root = "/proc",
  pause = nextTurn,
}: ProcfsOptions): ProcessTable {
  const statBytes = Buffer.allocUnsafe(STAT_BYTES);
  const starts = createStartTimes(root);
  const held = new Set<HeldProcess>();
  /** Of each process that is held one that holds it. */
  const heldByPid = new Map<number, HeldProcess>();
  const bootId = linuxBootId(root);

  const read = (pid: number): ProcessInfo | undefined =>
    parseStat(statBytes, readInto(`${root}/${pid}/stat`, statBytes));

  const sweep = shareRuns(async (): Promise<ProcessSnapshot> => {
    const takenAt = clock.now();
    starts.sweepBegins();
    const found: ProcessInfo[] = [];
    let sliceBegan = clock.monotonic();
    for (const pid of walkPids(root)) {
      if (clock.monotonic() - sliceBegan >= SLICE_MS) {
        await pause();
        sliceBegan = clock.monotonic();
      }
      // To read on through a descriptor that is open takes a third of the time.
      const process = heldByPid.get(pid)?.read() ?? read(pid);
      if (process !== undefined) found.push(process);
    }
    const snapshot = createSnapshot(takenAt, found);
    starts.sweepEnded(snapshot);
    return snapshot;
  });

  let memoryBytes: Buffer | undefined;

  /** What a process has in its own memory: undefined when it may not be read or has ended, empty in
   * the midst of an exec. Valid until the next call. */
  const readMemory = (pid: number, file: string, limit: number): Buffer | undefined => {
    memoryBytes ??= Buffer.allocUnsafe(ENVIRONMENT_BYTES);
    const bytes = memoryBytes.subarray(0, limit);
    const length = readInto(`${root}/${pid}/${file}`, bytes);
    // A zombie's files are there and empty.
    if (length < 0 || (length === 0 && read(pid) === undefined)) return undefined;
    return bytes.subarray(0, length);
  };

  return {
    kind: "procfs",
    bootId,
    sweep,
    read,
    argv(pid) {
      const bytes = readMemory(pid, "cmdline", ARGUMENTS_BYTES);
      return bytes && splitArguments(bytes);
    },
    cwd: (pid) => readKernelLink(`${root}/${pid}/cwd`),
    exe: (pid) => readKernelLink(`${root}/${pid}/exe`)?.path,
    environment(pid) {
      const bytes = readMemory(pid, "environ", ENVIRONMENT_BYTES);
      // An entry that the limit cut in two would state a wrong value.
      const isCut = bytes?.length === ENVIRONMENT_BYTES;
      return bytes && splitEnvironment(isCut ? bytes.subarray(0, bytes.lastIndexOf(0)) : bytes);
    },
    openFiles: (pid) => openFilesIn(`${root}/${pid}`),
    startedAt: starts.of,
    newcomers(known) {
      const unknown = listPids(root).filter((pid) => !known.has(pid));
      return unknown.map(read).filter((process) => process !== undefined);
    },
    hold(pid, startTick) {
      const process = holdProcess(`${root}/${pid}`, { pid, startTick });
      if (process === undefined) return undefined;
      const tracked: HeldProcess = {
        pid,
        read: () => process.read(),
        hasRun: () => process.hasRun(),
        release() {
          held.delete(tracked);
          if (heldByPid.get(pid) === tracked) heldByPid.delete(pid);
          process.release();
        },
      };
      held.add(tracked);
      heldByPid.set(pid, tracked);
      return tracked;
    },
    close() {
      for (const process of held) process.release();
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
