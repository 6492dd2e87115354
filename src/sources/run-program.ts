import { type ChildProcess, spawn } from "node:child_process";
import { type Shortage, shortageOf } from "./shortage.ts";

/** One run of a program that is asked something. */
export interface ProgramRun {
  /** A path, or a name that is looked for in the `PATH` of its environment. */
  readonly program: string;
  readonly args: readonly string[];
  /** What it is called. Absent: by `program`. */
  readonly argv0?: string;
  /** Absent: `/`, which no mount is kept busy by. */
  readonly cwd?: string;
  /** All variables that it gets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long it may take, in milliseconds. */
  readonly deadlineMs: number;
  /** How much of what it says is read, both outputs together, in bytes. */
  readonly limitBytes: number;
  /** Whether what it started is killed when it has ended by itself, too. Absent: it may leave something running. */
  readonly leavesNothing?: boolean;
  /** What it is given as its input. Absent: it has none. */
  readonly input?: Buffer;
}

/** What a program said. */
export interface Answer {
  /** `undefined` where it did not end by itself. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  /** What it said on its error output; where it could not be started, what the system said. */
  readonly stderr: string;
  /** Why it did not end by itself, or could not be started at all. */
  readonly ended?: "deadline" | "too_long" | "missing" | "refused" | Shortage;
}

/** Runs a program and takes what it says. At the deadline, and when the signal says so, it is killed
 * with whatever it started: it may be a script around the real one. */
export function runProgram(run: ProgramRun, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const child = started(run);
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
    const deadline = setTimeout(stop, run.deadlineMs);
    signal.addEventListener("abort", stop, { once: true });
    const settle = (answer: Answer) => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", stop);
      resolve(answer);
    };
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > run.limitBytes) kill("too_long");
      else into.push(chunk);
    };
    child.once("error", (error) => settle(notStarted(error)));
    if (run.leavesNothing) child.once("exit", () => killGroup(child.pid));
    // It need not read all of it: what it says tells whether that was right.
    child.stdin?.on("error", () => {});
    child.stdin?.end(run.input);
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
function started({
  program,
  args,
  argv0,
  cwd = "/",
  environment,
  input,
}: ProgramRun): ChildProcess | Error {
  try {
    return spawn(program, args, {
      ...(argv0 === undefined ? {} : { argv0 }),
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      env: environment,
      cwd,
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
    ended: code === "ENOENT" ? "missing" : (shortageOf(code) ?? "refused"),
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
