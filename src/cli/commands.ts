import { spawn } from "node:child_process";
import type { TerminalInfo } from "../contract/terminals.ts";
import { reasonOf } from "../files/reason.ts";
import { tell } from "./failure.ts";

/** How many run at once. More would let a burst of changes swamp the host. */
const MAX_RUNNING = 4;

/** How many wait for their turn. More means that the command takes longer than its cause comes again. */
const MAX_WAITING = 1_000;

/** Runs one command for each of several rows, a bounded number at once, in order. */
export class Commands {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #output: "stdout" | "stderr";
  readonly #waiting: TerminalInfo[] = [];
  #running = 0;
  #ended = false;

  constructor([program = "", ...args]: readonly string[], output: "stdout" | "stderr") {
    this.#program = program;
    this.#args = args;
    this.#output = output;
  }

  /** Runs it for a row, which it gets as JSON on its input, when its turn comes. Failures are told and end
   * nothing. */
  run(row: TerminalInfo): void {
    if (this.#waiting.length >= MAX_WAITING) {
      tell(`${this.#program} was not run for ${row.id}: ${MAX_WAITING} rows wait for it already`);
      return;
    }
    this.#waiting.push(row);
    this.#next();
  }

  /** Runs no more. What runs already is not ended. */
  end(): void {
    this.#ended = true;
  }

  #next(): void {
    if (this.#ended || this.#running >= MAX_RUNNING) return;
    const row = this.#waiting.shift();
    if (row !== undefined) this.#start(row);
  }

  #start(row: TerminalInfo): void {
    this.#running += 1;
    const finished = (failure: string | undefined) => {
      this.#running -= 1;
      if (failure !== undefined) tell(`${this.#program} for ${row.id}: ${failure}`);
      this.#next();
    };
    const child = spawn(this.#program, this.#args, {
      stdio: ["pipe", this.#output === "stdout" ? 1 : 2, 2],
    });
    // A command that takes no interest in the row closes its input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(`${JSON.stringify(row)}\n`);
    child.once("error", (error) => finished(`cannot be run: ${reasonOf(error)}`));
    child.once("exit", (code, signal) => {
      finished(code === 0 ? undefined : `ended with ${signal ?? code}`);
    });
  }
}
