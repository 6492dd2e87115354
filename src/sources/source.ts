import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessSnapshot } from "../processes/types.ts";

/** Why a source could not be read, or how it is limited: a word for programs, a sentence for people. */
export interface Fault {
  readonly code: string;
  readonly msg: string;
}

/** What one reading found.
 *
 * - `starting`: the place was found and has not been read yet.
 * - `rows`: everything that the place which was read has. `limited` says how it falls short of the best.
 * - `failing`: it could not be read. What the last good reading found stands. `items` are given where the
 *   source knows them by another way than asking the place, and stand instead.
 * - `absent`: there is nothing to read, for sure; the source may come.
 * - `gone`: the place has ended and does not come back under this name. */
export type Finding<Item> =
  | { readonly kind: "starting" }
  | { readonly kind: "rows"; readonly items: readonly Item[]; readonly limited?: Fault }
  | { readonly kind: "failing"; readonly fault: Fault; readonly items?: readonly Item[] }
  | { readonly kind: "absent" }
  | { readonly kind: "gone" };

/** One answer of a source. */
export interface Reading<Item> {
  /** Which of several places it is about, such as a server's socket. Absent where there is one. */
  readonly name?: string;
  /** When the reading began, in epoch milliseconds. */
  readonly at: number;
  readonly finding: Finding<Item>;
  /** How long it took, in milliseconds. Absent where an earlier reading is stated with more detail. */
  readonly ms?: number;
}

/** Where an inventory comes from. It knows nothing of topics, transports or other sources. */
export interface Source<Item> {
  /** What it is called on the wire; a source of terminals begins their ids with it. */
  readonly scheme: string;
  /** Begins to watch and to read. Each reading goes to `onReading`, a first one soon. */
  start(onReading: (reading: Reading<Item>) => void): void;
  /** Ends every watch, timer and child process of the source. */
  stop(): void;
  /** Resolves once every place has answered a reading that began after the call. A place that is failing
   * and waits before it is asked again counts as answered. */
  read(): Promise<void>;
  /** Comes once a second while the source runs: the time for cheap looks at what announces nothing. */
  tick(): void;
  /** Some terminal of this host was opened or closed: read soon. `tty` is the path of its device. */
  wake?(tty: string): void;
  /** The processes of this host were read. A source that finds what it states among them says so before this
   * returns, so that one look at the processes is one look for all. What it reads here it reads of `facts`,
   * which has read before it whatever is new: nothing that takes time is done here. */
  see?(snapshot: ProcessSnapshot, facts: ProcessFacts): void;
}
