import { type ChildProcess, spawn } from "node:child_process";

/** How long a tmux server may take to answer, in milliseconds. A busy one takes tens; one that takes longer
 * is stopped or stuck. */
const ANSWER_MS = 2_000;

/** How much of an answer is read. A pane takes about 100 bytes, so this is more panes than a host has. */
const ANSWER_BYTES = 16 * 1_048_576;

/** What a tmux client said. */
export interface Answer {
  /** `undefined` where it did not end by itself. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  /** What it said on its error output; where it could not be started, what the system said. */
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
 * variable of ours that could point it elsewhere. At the deadline it is killed, with whatever it started: the
 * program may be a script around the real one. */
export function ask(
  client: Client,
  command: readonly string[],
  signal: AbortSignal,
  deadlineMs = ANSWER_MS,
): Promise<Answer> {
  return new Promise((resolve) => {
    const child = started(client, command);
    if (child instanceof Error) {
      resolve(notStarted(child));
      return;
    }
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    let ended: Answer["ended"];
    const kill = (why: Answer["ended"]) => {
      ended ??= why;
      killGroup(child.pid);
      // Whoever else still holds their other ends is not waited for.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const stop = () => kill("deadline");
    const deadline = setTimeout(stop, deadlineMs);
    signal.addEventListener("abort", stop, { once: true });
    const settle = (answer: Answer) => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", stop);
      resolve(answer);
    };
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES) kill("too_long");
      else into.push(chunk);
    };
    child.once("error", (error) => settle(notStarted(error)));
    child.once("close", (exitCode) =>
      settle({
        exitCode: exitCode ?? undefined,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString("utf8").trim(),
        ...(ended === undefined ? {} : { ended }),
      }),
    );
    // Without a descriptor left to make them of there are none.
    child.stdout?.on("data", collect(stdout));
    child.stderr?.on("data", collect(stderr));
    if (signal.aborted) stop();
  });
}

/** Some of the reasons why a program cannot be run are thrown, the others come as an event. */
function started({ program, socket }: Client, command: readonly string[]): ChildProcess | Error {
  try {
    return spawn(program, ["-u", "-N", "-S", socket, ...command], {
      argv0: "tmux",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
      cwd: "/",
      // In a group of its own, so that the group can be killed.
      detached: true,
    });
  } catch (error) {
    return error as Error;
  }
}

function notStarted({ code, message }: NodeJS.ErrnoException): Answer {
  return {
    exitCode: undefined,
    stdout: Buffer.alloc(0),
    stderr: message,
    ended: code === "ENOENT" ? "missing" : "refused",
  };
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All of it has ended meanwhile.
  }
}
