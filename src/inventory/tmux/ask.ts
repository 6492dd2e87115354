import { spawn } from "node:child_process";

/** How long a tmux server may take to answer, in milliseconds. A busy one takes tens; one that takes longer
 * is stopped or stuck. */
export const ANSWER_MS = 2_000;

/** How much of an answer is read. A pane takes about 100 bytes, so this is more panes than a host has. */
const ANSWER_BYTES = 16 * 1_048_576;

/** What a tmux client said. */
export interface Answer {
  /** `undefined` where it did not end by itself. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Why it did not end by itself, or could not be started at all. */
  readonly ended?: "deadline" | "too_long" | "missing" | "refused";
}

export interface Client {
  /** The program to ask with: the server's own where it is known, since versions may not understand each
   * other. */
  readonly program: string;
  readonly socket: string;
}

/** Runs one tmux command against one server.
 *
 * `-u`, or every byte that is not ASCII comes back as `_`; `-N`, so that no server is ever started; no
 * variable of ours that could point it elsewhere. It is killed at the deadline. */
export function ask(
  client: Client,
  command: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    let ended: Answer["ended"];
    const child = spawn(client.program, ["-u", "-N", "-S", client.socket, ...command], {
      argv0: "tmux",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
      cwd: "/",
    });
    const kill = (why: Answer["ended"]) => {
      ended ??= why;
      child.kill("SIGKILL");
    };
    const deadline = setTimeout(() => kill("deadline"), ANSWER_MS);
    const stop = () => kill("deadline");
    signal.addEventListener("abort", stop, { once: true });
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES) kill("too_long");
      else into.push(chunk);
    };
    child.stdout.on("data", collect(stdout));
    child.stderr.on("data", collect(stderr));
    const settle = (exitCode: number | null) => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", stop);
      resolve({
        exitCode: exitCode ?? undefined,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString("utf8").trim(),
        ...(ended === undefined ? {} : { ended }),
      });
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      ended ??= error.code === "ENOENT" ? "missing" : "refused";
      settle(null);
    });
    child.once("close", settle);
  });
}
