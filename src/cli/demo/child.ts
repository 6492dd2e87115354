import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** How much of what a program printed is kept, to say why it ended. */
const KEPT = 2_000;

export interface ChildOptions {
  /** What it is called in words. */
  readonly what: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: NodeJS.ProcessEnv;
  /** What to say where there is no such program. */
  readonly missing?: string;
}

/** A program that was started for as long as this one runs. It is in a process group of its own: what is typed here to end this
 * one does not end that one first. */
export class Child {
  readonly #what: string;
  readonly #process: ChildProcess;
  #printed = "";
  /** Rejects, in words, once it ends without being ended; resolves where it is. */
  readonly over: Promise<void>;
  #isEnding = false;

  constructor({ what, command: [program, ...args], env, missing }: ChildOptions) {
    this.#what = what;
    this.#process = spawn(program, args, {
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
      ...(env === undefined ? {} : { env }),
    });
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#printed = (this.#printed + text).slice(-KEPT);
    });
    this.over = this.#watch(missing);
    this.over.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = once(this.#process, "close");
    if (this.#process.kill("SIGTERM")) await closed;
  }

  async #watch(missing: string | undefined): Promise<void> {
    try {
      const [code, signal] = await once(this.#process, "close");
      if (this.#isEnding) return;
      const how = signal === null ? `with ${code}` : `by ${signal}`;
      throw new Error(`${this.#what} has ended ${how}: ${this.#printed.trim()}`);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT" || missing === undefined) throw cause;
      throw new Error(missing, { cause });
    }
  }
}
