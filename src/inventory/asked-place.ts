import { Backoff } from "../sources/backoff.ts";
import { optional } from "../sources/optional.ts";
import type { Answer } from "../sources/run-program.ts";
import { ReadingSchedule } from "../sources/schedule.ts";
import { isShortage, shortageFault, shortageIn } from "../sources/shortage.ts";
import type { Fault, Finding, Reading } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";
import { within } from "../time/within.ts";
import type { ObservedTerminal } from "./terminal.ts";

/** How long a manager's program may take to answer, in milliseconds. */
export const ANSWER_MS = 2_000;

/** How long a reading is waited for, in milliseconds: what takes longer than the program may is a disk that does not
 * answer. */
export const READING_MS = 2_500;

const MESSAGE_CHARACTERS = 200;

export interface AskedPlaceOptions {
  readonly clock: Clock;
  /** What its readings are about. Absent where the source has one place. */
  readonly name?: string;
  /** Asks it. It ends soon after the signal says so, and what it answers then is not stated. */
  ask(signal: AbortSignal): Promise<Finding<ObservedTerminal>>;
  readonly onReading: (reading: Reading<ObservedTerminal>) => void;
}

/** One place that is asked by running a program: one question at a time, and ever more seldom while it fails. */
export class AskedPlace {
  readonly #options: AskedPlaceOptions;
  readonly #schedule: ReadingSchedule;
  readonly #backoff: Backoff;
  readonly #stopping = new AbortController();
  /** What its last answer was. Absent where it was not asked yet. */
  #last: Finding<ObservedTerminal>["kind"] | undefined;

  constructor(options: AskedPlaceOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.clock);
    this.#schedule = new ReadingSchedule(options.clock, () => this.#read());
  }

  /** Whether it answers, as far as is known: one that has not been asked yet is thought to. */
  get isAnswering(): boolean {
    return this.#last === undefined || this.#last === "rows";
  }

  /** Something may be new there. */
  wake(): void {
    this.#schedule.wake();
  }

  /** Something changed so that it may answer now. */
  nudge(): void {
    this.#backoff.reset();
    this.wake();
  }

  /** Resolves once a reading that began after the call has ended, or it is left alone because it fails, or after
   * READING_MS. */
  fresh(): Promise<void> {
    const read = this.#schedule.fresh();
    return within(this.#options.clock, READING_MS, read, this.#stopping.signal);
  }

  /** Once a second: asks it again where it failed and was left alone long enough. */
  tick(): void {
    if (this.#last === "failing" && !this.#backoff.isPausing) this.wake();
  }

  stop(): void {
    this.#schedule.stop();
    this.#stopping.abort();
  }

  async #read(): Promise<void> {
    if (this.#backoff.isPausing) return;
    const { clock, name, onReading } = this.#options;
    const at = clock.now();
    const began = clock.monotonic();
    const finding = await this.#find();
    if (this.#stopping.signal.aborted) return;
    this.#last = finding.kind;
    // One that is not to be asked may be some time later.
    if (finding.kind === "failing" && isShortage(finding.fault)) this.#backoff.lacked();
    else if (finding.kind === "failing" || finding.kind === "absent") this.#backoff.failed();
    else this.#backoff.reset();
    onReading({ ...optional("name", name), at, finding, ms: clock.monotonic() - began });
  }

  /** What goes wrong besides the program, such as that the system has no descriptor left, says nothing of the place. */
  async #find(): Promise<Finding<ObservedTerminal>> {
    try {
      return await this.#options.ask(this.#stopping.signal);
    } catch (error) {
      const msg = error instanceof Error ? error.message : String(error);
      const shortage = shortageIn(error);
      const fault =
        shortage === undefined ? { code: "unreadable", msg } : shortageFault(shortage, msg);
      return { kind: "failing", fault };
    }
  }
}

/** Why a program's answer is none. `undefined` where it ended well; what it said is then its answer, whatever it said
 * on its error output beside that. */
export function faultOf(program: string, { exitCode, stderr, ended }: Answer): Fault | undefined {
  const fault = (code: string, msg: string) => ({ code, msg: msg.slice(0, MESSAGE_CHARACTERS) });
  if (ended === "deadline") return fault("no_answer", `${program} did not answer within 2 s`);
  if (ended === "too_long") return fault("answer_too_long", `${program} said more than is read`);
  if (ended === "missing") return fault("no_program", `${program} is not there`);
  if (ended === "refused") return fault("no_program", `${program} cannot be run: ${stderr}`);
  if (ended !== undefined) return shortageFault(ended, stderr);
  if (exitCode === 0) return undefined;
  return fault(
    "failed",
    stderr === "" ? `${program} ended with ${exitCode ?? "a signal"}` : stderr,
  );
}

/** A list that could not be made sense of, whatever it says. */
export const garbled = (program: string): Fault => ({
  code: "unreadable_answer",
  msg: `the list of ${program} cannot be read`,
});
