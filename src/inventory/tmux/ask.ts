import { type Answer as ProgramAnswer, runProgram } from "../../sources/run-program.ts";

/** How long a tmux server may take to answer, in milliseconds. A busy one takes tens; one that takes longer
 * is stopped or stuck. */
const ANSWER_MS = 2_000;

/** How much of an answer is read. A pane takes about 100 bytes, so this is more panes than a host has. */
const ANSWER_BYTES = 16 * 1_048_576;

/** What a tmux client said. */
export type Answer = ProgramAnswer;

export interface Client {
  /** The program to ask with: the server's own where it is known, since versions may not understand each
   * other. */
  readonly program: string;
  readonly socket: string;
}

/** Runs one tmux command against one server. `input` is what the command reads from its client, such as the text of a buffer.
 *
 * `-u`, or every byte that is not ASCII comes back as `_`; `-N`, so that no server is ever started; no
 * variable of ours that could point it elsewhere. */
export function ask(
  { program, socket }: Client,
  command: readonly string[],
  signal: AbortSignal,
  deadlineMs = ANSWER_MS,
  input?: Buffer,
): Promise<Answer> {
  const run = {
    program,
    args: ["-u", "-N", "-S", socket, ...command],
    argv0: "tmux",
    environment: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
    deadlineMs,
    limitBytes: ANSWER_BYTES,
    ...(input === undefined ? {} : { input }),
  };
  return runProgram(run, signal);
}
