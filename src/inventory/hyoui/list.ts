import { type Answer, runProgram } from "../../sources/run-program.ts";
import type { Clock } from "../../time/clock.ts";
import { ANSWER_MS, faultOf } from "../asked-place.ts";

/** How much of a list is read. A session takes 500 bytes, and one that was given a long prompt as much more. */
const LIST_BYTES = 4 * 1_048_576;

const LIST = ["list", "--format=jsonl"];

/** Shows the sessions of all namespaces, where there are any. Generations without namespaces refuse it, or will. */
const ALL = "--all-namespaces";

/** The variables that say where hyoui keeps its sockets. What else it might read, such as the session that we are
 * in ourselves, it is not given. */
const VARIABLES = [
  "HOME",
  "HYOUI_STATE_DIR",
  "XDG_STATE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
  "TMPDIR",
  "PATH",
];

/** Asks hyoui for its sessions. */
export class HyouiList {
  readonly #clock: Clock;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  /** Whether the program has not refused to show all namespaces. */
  #showsAll = true;

  constructor(clock: Clock, environment: Readonly<Record<string, string | undefined>>) {
    this.#clock = clock;
    this.#environment = Object.fromEntries(VARIABLES.map((name) => [name, environment[name]]));
  }

  /** One list, in one deadline. */
  async ask(program: string, signal: AbortSignal): Promise<Answer> {
    const began = this.#clock.monotonic();
    if (this.#showsAll) {
      const answer = await this.#run(program, [...LIST, ALL], ANSWER_MS, signal);
      if (!isRefusal(answer)) return answer;
    }
    const left = Math.max(1, ANSWER_MS - (this.#clock.monotonic() - began));
    const answer = await this.#run(program, LIST, left, signal);
    if (faultOf("hyoui", answer) === undefined) this.#showsAll = false;
    return answer;
  }

  #run(
    program: string,
    args: readonly string[],
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Answer> {
    const environment = this.#environment;
    return runProgram({ program, args, environment, deadlineMs, limitBytes: LIST_BYTES }, signal);
  }
}

/** A usage error, or any that is about the option. */
const isRefusal = ({ exitCode, stderr }: Answer) =>
  exitCode === 2 || (exitCode !== 0 && exitCode !== undefined && stderr.includes(ALL));
