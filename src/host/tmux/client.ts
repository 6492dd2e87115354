import { chmod } from "node:fs/promises";
import { runProgram } from "../../sources/run-program.ts";
import { serverEnvironment } from "./environment.ts";

/** How long a server may take to answer, in milliseconds. A busy one takes tens; whoever types waits for it. */
const ANSWER_MS = 10_000;

/** How much of an answer is read: the largest screen with its history, in bytes. */
const ANSWER_BYTES = 64 * 1024 * 1024;

/** What is said where nothing listens on the socket, or the server ended while it was asked. */
const GONE = [
  /^no server running on /,
  /^error connecting to .* \((?:No such file or directory|Connection refused)\)$/s,
  /^(?:lost server|server exited)/m,
];

/** A command of tmux was not done. */
export class TmuxFailure extends Error {
  override readonly name = "TmuxFailure";
  /** - `gone`: there is no server, so no session either.
   * - `refused`: the server says no.
   * - `silent`: nobody knows whether it was done. */
  readonly kind: "gone" | "refused" | "silent";

  constructor(kind: TmuxFailure["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Short commands to the server of a folder, each a process that ends with its answer. */
export class TmuxClient {
  readonly folder: string;
  readonly socket: string;
  readonly #program: string;
  readonly #ended = new AbortController();
  #pasting: Promise<string> | undefined;

  constructor(folder: string, socket: string, program: string) {
    this.folder = folder;
    this.socket = socket;
    this.#program = program;
  }

  /** Has commands done, one after the other, `;` between them. Answers what they print. Rejects with a `TmuxFailure`. */
  ask(command: readonly string[], input?: Buffer): Promise<Buffer> {
    return this.#run(["-N", ...command], input);
  }

  /** The same, and starts the server where none runs. */
  async begin(command: readonly string[]): Promise<Buffer> {
    const answer = await this.#run(["-f", "/dev/null", ...command]);
    await chmod(this.socket, 0o600);
    return answer;
  }

  /** The options with which a buffer is pasted byte for byte: tmux before 3.7 does not know `-S`, and those that do write
   * control characters in another way without it. */
  async pasting(): Promise<string> {
    this.#pasting ??= this.ask(["list-commands", "paste-buffer"]).then((usage) =>
      /\[-[A-Za-z]*S/.test(usage.toString("latin1")) ? "-drS" : "-dr",
    );
    try {
      return await this.#pasting;
    } catch (error) {
      this.#pasting = undefined;
      throw error;
    }
  }

  /** Whoever still waits for an answer is told that there is none. */
  release(): void {
    this.#ended.abort();
  }

  async #run(args: readonly string[], input?: Buffer): Promise<Buffer> {
    const run = {
      program: this.#program,
      argv0: "tmux",
      args: ["-u", "-S", this.socket, ...args],
      environment: serverEnvironment(this.folder),
      deadlineMs: ANSWER_MS,
      limitBytes: ANSWER_BYTES,
      ...(input === undefined ? {} : { input }),
    };
    const { exitCode, stdout, stderr, ended } = await runProgram(run, this.#ended.signal);
    if (GONE.some((text) => text.test(stderr))) throw new TmuxFailure("gone", stderr);
    if (ended !== undefined) {
      const why = ended === "deadline" ? "did not answer in time" : `gave no answer: ${ended}`;
      throw new TmuxFailure("silent", `the tmux server of this host ${why} ${stderr}`.trim());
    }
    if (exitCode !== 0 || stderr !== "") {
      throw new TmuxFailure("refused", `tmux says: ${stderr === "" ? exitCode : stderr}`);
    }
    return stdout;
  }
}
