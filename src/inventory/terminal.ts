import type { ProcessInfo, ProcessSnapshot } from "../processes/types.ts";
import type { Source } from "../sources/source.ts";

/** A terminal as its manager describes it. What runs in it is read from the process table, above. */
export interface ObservedTerminal {
  /** `<scheme>:<handle>` */
  readonly id: string;
  /** `running`, `dead`, else the manager's own word. */
  readonly state: string;
  /** The process that the manager started. Absent where it has ended or its manager does not say. */
  readonly rootPid?: number;
  /** When the manager says that it started that process, in epoch milliseconds: a process that began at quite
   * another time has only its number. */
  readonly rootStartedAt?: number;
  /** The process that it had, where that has ended and its manager still says so. */
  readonly endedPid?: number;
  /** Whether nobody but the kernel tells of it. It gives way to every source that states the same terminal, and
   * counts as a part of another one where it was opened there by a tool or a wrapper. */
  readonly isBare?: boolean;
  /** The path of the terminal's device. */
  readonly tty?: string;
  /** What its manager says that it runs and where, stated where no process can be read. */
  readonly command?: readonly string[];
  readonly cwd?: string;
  /** Text from strangers; cleaned where the row is made. */
  readonly name?: string;
  readonly title?: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly viewers?: number;
  readonly bell?: boolean;
  /** Epoch milliseconds. */
  readonly activityAt?: number;
  readonly exitCode?: number;
  readonly exitSignal?: string;
}

/** Where terminals are observed. Its `scheme` begins their ids. */
export interface TerminalSource extends Source<ObservedTerminal> {
  /** Whether terminals that this process opened are the source's own to state: one that it does not state, or
   * not yet, is no terminal to any other source. It is asked of the parents of session leaders. */
  manages?(process: ProcessInfo, snapshot: ProcessSnapshot): boolean;
}
