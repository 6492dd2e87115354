import { runProgram } from "../../sources/run-program.ts";

/** The longest line that a terminal takes while it edits lines itself, without its end, in bytes (termios(3), canonical
 * mode). What is beyond never reaches the program, and nobody is told. */
export const LONGEST_LINE_BYTES = 4_095;

/** How a terminal treats what is typed (termios(3)). */
export interface LineMode {
  /** It edits lines: a program gets them whole, up to `LONGEST_LINE_BYTES`. */
  readonly canonical: boolean;
  readonly echo: boolean;
}

/** `stty` answers within milliseconds. */
const DEADLINE_MS = 1_000;
const LIMIT_BYTES = 16 * 1024;

/** Asks how a terminal treats what is typed now; a program may change it at any moment. Costs a process, so it is for
 * input that would be cut (`hasLongLine`). Undefined where it cannot be found out. */
export async function readLineMode(
  tty: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<LineMode | undefined> {
  const { exitCode, stdout } = await runProgram(
    {
      program: "stty",
      args: [process.platform === "darwin" ? "-f" : "-F", tty, "-a"],
      environment: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" },
      deadlineMs: DEADLINE_MS,
      limitBytes: LIMIT_BYTES,
    },
    signal,
  );
  const words = new Set(stdout.toString("latin1").split(/[\s;]+/));
  if (exitCode !== 0 || words.has("icanon") === words.has("-icanon")) return undefined;
  return { canonical: words.has("icanon"), echo: words.has("echo") };
}

/** Whether a terminal that edits lines would cut one of these. */
export function hasLongLine(bytes: Uint8Array): boolean {
  let length = 0;
  for (const byte of bytes) {
    length = byte === 0x0a || byte === 0x0d ? 0 : length + 1;
    if (length > LONGEST_LINE_BYTES) return true;
  }
  return false;
}
