import { Buffer } from "node:buffer";
import { type Pty, type PtyExit, type PtyOptions, spawnPty } from "../../../src/host/pty/pty.ts";
import { systemClock } from "../../../src/time/clock.ts";

export const PATH = process.env["PATH"] ?? "/usr/bin:/bin";

/** A program on a real terminal and everything that it said. */
export class Running {
  readonly pty: Pty;
  readonly chunks: Buffer[] = [];
  bytes = 0;
  /** How it ended. */
  readonly exited: Promise<PtyExit>;
  #exit: PtyExit | undefined;
  #look: () => void = () => {};
  /** What came after the end was told: nothing may. */
  late = 0;

  constructor(options: Partial<PtyOptions> & { readonly file: string }) {
    let told: (exit: PtyExit) => void = () => {};
    this.exited = new Promise((resolve) => {
      told = resolve;
    });
    this.pty = spawnPty(
      {
        args: [],
        cwd: "/",
        env: { PATH },
        cols: 80,
        rows: 24,
        clock: systemClock,
        ...options,
      },
      {
        data: (bytes) => {
          if (this.#exit !== undefined) this.late += bytes.length;
          this.chunks.push(Buffer.from(bytes));
          this.bytes += bytes.length;
          this.#look();
        },
        exit: (exit) => {
          if (this.#exit !== undefined) throw new Error("the end was told twice");
          this.#exit = exit;
          told(exit);
          this.#look();
        },
      },
    );
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString("utf8");
  }

  /** Resolves when the output has it; rejects when the program ends without having said it. */
  says(expected: string | RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#look = () => {
        const { text } = this;
        const isThere =
          typeof expected === "string" ? text.includes(expected) : expected.test(text);
        if (isThere) resolve(text);
        else if (this.#exit !== undefined) reject(new Error(`ended without ${expected}: ${text}`));
        else return;
        this.#look = () => {};
      };
      this.#look();
    });
  }

  type(text: string): number {
    return this.pty.write(Buffer.from(text));
  }

  /** Ends the program, if it has not ended. */
  async end(): Promise<void> {
    if (this.#exit === undefined) endProcess(this.pty.pid);
    await this.exited;
  }
}

/** Ends a process of the test's own, unless it has ended. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has.
  }
}

const running: Running[] = [];

/** Runs a shell script on a terminal; ended when the test is. */
export function script(text: string, options: Partial<PtyOptions> = {}): Running {
  return start({ file: "/bin/sh", args: ["-c", text], ...options });
}

export function start(options: Partial<PtyOptions> & { readonly file: string }): Running {
  const terminal = new Running(options);
  running.push(terminal);
  return terminal;
}

/** For `afterEach`. */
export async function endAll(): Promise<void> {
  await Promise.all(running.splice(0).map((terminal) => terminal.end()));
}
