/** A terminal as its manager describes it. What runs in it is read from the process table, above. */
export interface ObservedTerminal {
  readonly id: string;
  /** `running`, `dead`, else the manager's own word. */
  readonly state: string;
  /** The process that the manager started. Absent where it has ended or its manager does not say. */
  readonly rootPid?: number;
  /** The process that it had, where that has ended and its manager still says so. */
  readonly endedPid?: number;
  /** The path of the terminal's device. */
  readonly tty?: string;
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

/** Why a source could not be read, or how it is limited: a word for programs, a sentence for people. */
export interface Fault {
  readonly code: string;
  readonly msg: string;
}

/** What one reading found.
 *
 * - `starting`: the place was found and has not been read yet.
 * - `rows`: all terminals of the place that was read. `limited` says how it falls short of the best.
 * - `failing`: it could not be read. The rows of the last good reading stand. `terminals` are given where
 *   the source knows them by another way than asking the manager, and stand instead.
 * - `absent`: there is nothing to read, for sure; the source may come.
 * - `gone`: the place has ended and does not come back under this name. */
export type Finding =
  | { readonly kind: "starting" }
  | {
      readonly kind: "rows";
      readonly terminals: readonly ObservedTerminal[];
      readonly limited?: Fault;
    }
  | {
      readonly kind: "failing";
      readonly fault: Fault;
      readonly terminals?: readonly ObservedTerminal[];
    }
  | { readonly kind: "absent" }
  | { readonly kind: "gone" };

/** One answer of a source. */
export interface Reading {
  /** Which of several places it is about, such as a server's socket. Absent where there is one. */
  readonly name?: string;
  /** When the reading began, in epoch milliseconds. */
  readonly at: number;
  readonly finding: Finding;
  /** How long it took, in milliseconds. Absent where an earlier reading is stated with more detail. */
  readonly ms?: number;
}

/** Where an inventory comes from. It knows nothing of topics, transports or other sources. */
export interface Source {
  /** What the ids of its terminals begin with. */
  readonly scheme: string;
  /** Begins to watch and to read. Each reading goes to `onReading`, a first one soon. */
  start(onReading: (reading: Reading) => void): void;
  /** Ends every watch, timer and child process of the source. */
  stop(): void;
  /** Resolves once every place has answered a reading that began after the call. A place that is failing
   * and waits before it is asked again counts as answered. */
  read(): Promise<void>;
  /** Some terminal of this host was opened or closed: read soon. `tty` is the path of its device. */
  wake(tty: string): void;
  /** Comes once a second while the source runs: the time for cheap looks at what announces nothing. */
  tick(): void;
}
