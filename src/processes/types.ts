/** One process as its kernel states it at one moment. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The session's id, which is its leader's pid; 0 where it is unknown (kernel threads, and macOS
   * for a process without a tty that leads no session). */
  readonly session: number;
  /** Device number of the controlling tty as the kernel encodes it, unsigned, equal to `st_rdev` of
   * the device file; 0 when there is none. */
  readonly ttyDevice: number;
  /** Path of that device such as `/dev/pts/3`; undefined when there is none or its driver is
   * unknown. */
  readonly tty: string | undefined;
  /** Foreground process group of the controlling tty; -1 when there is none. */
  readonly foregroundGroup: number;
  /** One letter as the kernel states it: R S D T t Z X I. `Z` is seen here only where the first
   * thread has ended while others of the same process run on. */
  readonly state: string;
  /** The start as the kernel counts it, in decimal digits: clock ticks since boot from procfs
   * (proc(5), stat, field 22), epoch seconds from `ps`. Compare it for equality only; `startedAt`
   * gives the time. */
  readonly startTick: string;
  /** The kernel's short name (comm), at most 15 bytes, any of which may be odd: spaces,
   * parentheses, newlines. With `ps` on macOS it is the file name of the executable. */
  readonly name: string;
}

/** What names one process for good: within one boot, its number together with when it began. */
export type ProcessKey = Pick<ProcessInfo, "pid" | "startTick">;

/** All live processes as one sweep saw them. A sweep is not one instant: processes come and go
 * while it reads. */
export interface ProcessSnapshot {
  /** When the sweep began to read, in epoch milliseconds. */
  readonly takenAt: number;
  /** Undefined when there is no such process, or when it has ended and only its parent has not
   * noticed (a zombie). */
  get(pid: number): ProcessInfo | undefined;
  all(): Iterable<ProcessInfo>;
  children(pid: number): readonly ProcessInfo[];
  /** Children of children too, nearest first, without the process itself. */
  descendants(pid: number): ProcessInfo[];
  /** Processes whose controlling tty is this device; none for 0. */
  onTty(device: number): readonly ProcessInfo[];
  inGroup(group: number): readonly ProcessInfo[];
}

/** A working directory. */
export interface Cwd {
  /** Bytes that are no UTF-8 are U+FFFD. Without the kernel's mark for deleted directories. */
  readonly path: string;
  /** True when the directory no longer exists, although the process is still in it. */
  readonly deleted: boolean;
}

/** One particular process, told apart from whatever gets its number later. */
export interface HeldProcess {
  readonly pid: number;
  /** Undefined once the process has ended. The same object as before where nothing about it differs. */
  read(): ProcessInfo | undefined;
  /** Whether its first thread has run since this was last asked, and true where the kernel does not say. One
   * that has not cannot have changed its directory or its arguments by that thread, as nearly all do. */
  hasRun(): boolean;
  release(): void;
}

/** Why a table is the fallback: `no_proc`, the system has no process filesystem that speaks of this
 * process; `hidden_proc`, it shows only the user's own processes (the mount option `hidepid`). */
export type ProcessTableLimit = "no_proc" | "hidden_proc";

/** The processes of this host. Everything is read when asked for: between calls there is no timer,
 * no watch and no child process. A reading throws, and a sweep rejects, when the system has no
 * descriptor or memory left to read with: that says nothing of any process. */
export interface ProcessTable {
  readonly kind: "procfs" | "ps";
  /** Stated by a fallback. Such a table answers `read`, `argv`, `newcomers` and held processes from
   * its last sweep where it cannot read afresh. */
  readonly limited?: ProcessTableLimit;
  /** Changes with each boot of the system, so that a remembered process is never taken for one of a
   * later boot. */
  readonly bootId: string;
  /** A snapshot that began at or after this call. Calls share sweeps: one runs, and at most one
   * waits behind it. */
  sweep(): Promise<ProcessSnapshot>;
  /** A fresh reading of one process, synchronous and cheap; undefined when it has ended. */
  read(pid: number): ProcessInfo | undefined;
  /** Arguments, the program's name first. Undefined when unreadable or ended; empty for kernel
   * threads and in the midst of an exec. */
  argv(pid: number): string[] | undefined;
  /** Undefined when ended, or when the process is another user's. */
  cwd(pid: number): Cwd | undefined;
  /** The program file behind the process, links resolved. Undefined as for `cwd`. */
  exe(pid: number): string | undefined;
  /** The environment that the process was started with. Undefined as for `cwd`. */
  environment(pid: number): ReadonlyMap<string, string> | undefined;
  /** Paths of the files that it holds open, those of its lowest descriptors first; the first 512 descriptors are
   * looked at. One that was deleted has the kernel's mark ` (deleted)` behind it. Undefined as for `cwd`. */
  openFiles(pid: number): string[] | undefined;
  /** When the process began, in epoch milliseconds. Computed once for each process, so that it
   * never jitters. */
  startedAt(process: ProcessKey): number | undefined;
  /** Live processes that are not in `known`: a listing without a reading of everybody. */
  newcomers(known: ReadonlySet<number>): ProcessInfo[];
  /** Undefined when that process has ended, or no descriptor is to be had. */
  hold(pid: number, startTick: string): HeldProcess | undefined;
  /** Releases what is held and ends what is under way. Nothing is asked of the table afterwards. */
  close(): void;
}
