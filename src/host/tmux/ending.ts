import type { Cancel, Clock } from "../../time/clock.ts";
import { TmuxFailure } from "./client.ts";
import type { Pane } from "./pane.ts";
import type { SessionPlaces } from "./places.ts";
import { isRunning, isUnnoticed, isWaiting } from "./processes.ts";
import { type Exit, exitOf } from "./state.ts";

/** How often it is looked whether the program is still there, and how soon after output, in milliseconds. It is announced
 * when it ends; but tmux 3.3 overlooks one of some fifty, and most programs end soon after they have said something. */
const LOOK_MS = 1_000;
const SOON_MS = 25;

/** How often, once it has ended, it is looked whether the last output is written, and for how long, in milliseconds. */
const DRAIN_LOOK_MS = 2;
const DRAIN_MS = 5_000;

/** How long the writer is given where nobody can see what it does, in milliseconds. */
const UNSEEN_MS = 250;

/** How a session ended. Without a code and a signal nobody knows. */
export interface Ended extends Exit {
  readonly isLost?: true;
}

export interface EndingOptions {
  readonly pane: Pane;
  readonly places: SessionPlaces;
  /** The keeper of its program. */
  readonly pid: number;
  readonly clock: Clock;
  /** The server keeps its output no more, though it goes on: who did that was ended. */
  keepAgain(): Promise<void>;
  /** Once. All that it wrote is in its log, or `isWhole` is false. */
  ended(how: Ended, isWhole: boolean): void;
  /** There may be output that nothing announced. */
  looked(): void;
  /** Whether all output has been read. */
  isMarked(): boolean;
}

/** Finds out that a session has ended. */
export class Ending {
  readonly #options: EndingOptions;
  #due: Cancel | undefined;
  #soon: Cancel | undefined;
  #isAsking = false;
  #isOver = false;

  constructor(options: EndingOptions) {
    this.#options = options;
    this.#lookLater();
  }

  /** What is noted beside its log may say that it has ended. */
  noted(): void {
    if (this.#isOver || this.#isAsking) return;
    const { places } = this.#options;
    const exit = exitNoted(places.note("exit"));
    if (exit !== undefined) this.#drain(exit);
    else if (places.note("end") !== undefined) void this.#ask();
  }

  /** It has written something. */
  active(): void {
    if (this.#isOver) return;
    this.#soon ??= this.#options.clock.schedule(SOON_MS, () => {
      this.#soon = undefined;
      this.#look();
    });
  }

  /** Nothing is told any more. */
  release(): void {
    this.#isOver = true;
    this.#due?.();
    this.#soon?.();
  }

  #lookLater(): void {
    this.#due = this.#options.clock.schedule(LOOK_MS, () => {
      if (this.#isOver) return;
      this.#lookLater();
      this.#options.looked();
      this.#look();
    });
  }

  #look(): void {
    this.noted();
    if (this.#isOver || (isRunning(this.#options.pid) && this.#hasWriter())) return;
    void this.#ask();
  }

  #hasWriter(): boolean {
    const writer = Number(this.#options.places.note("writer"));
    // It writes its number as soon as it runs.
    return !(writer > 0) || isRunning(writer);
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const how = await this.#how();
      if (how !== undefined && !this.#isOver) this.#drain(how);
    } catch {
      // It is looked again.
    } finally {
      this.#isAsking = false;
    }
  }

  /** Absent while it runs. Rejects where nobody knows. */
  async #how(): Promise<Ended | undefined> {
    const { pane, pid, keepAgain } = this.#options;
    try {
      const state = await pane.state();
      if (state === undefined) return { isLost: true };
      if (state.exit !== undefined) return state.exit;
      if (isUnnoticed(pid)) {
        process.kill(state.server, "SIGCHLD");
        return undefined;
      }
      if (state.isDead) return {};
      // tmux finds out that nobody takes its output when there is some.
      if (!state.isKept || !this.#hasWriter()) await keepAgain();
      return undefined;
    } catch (error) {
      if (error instanceof TmuxFailure && error.kind === "gone") return { isLost: true };
      throw error;
    }
  }

  /** tmux 3.3 may know that a program ended and not how. */
  #drain(told: Ended): void {
    this.release();
    const { clock, ended, places } = this.#options;
    const isUnknown = Object.keys(told).length === 0;
    const how = (isUnknown ? exitNoted(places.note("how")) : undefined) ?? told;
    const since = clock.monotonic();
    const look = () => {
      const waited = clock.monotonic() - since;
      if (this.#isWritten(how, waited)) return ended(how, true);
      if (waited >= DRAIN_MS) return ended(how, false);
      this.#due = clock.schedule(DRAIN_LOOK_MS, look);
    };
    look();
  }

  /** Of a program that has ended tmux has nothing left, so what is to come is on its way to the writer. That of a session
   * that is gone comes to its own end. */
  #isWritten(how: Ended, waitedMs: number): boolean {
    const { places, isMarked } = this.#options;
    if (isMarked() || places.note("end") !== undefined) return true;
    const writer = Number(places.note("writer"));
    if (!(writer > 0)) return false;
    if (!isRunning(writer)) return true;
    return how.isLost !== true && (isWaiting(writer) ?? waitedMs >= UNSEEN_MS);
  }
}

/** Absent where nothing is noted yet. */
function exitNoted(note = ""): Exit | undefined {
  const said = note.trim();
  return said === "" ? undefined : (exitOf(...said.split(":")) ?? {});
}
