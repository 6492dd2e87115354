import { findProgram } from "../../sources/programs.ts";
import { runProgram } from "../../sources/run-program.ts";
import { TmuxUnavailable } from "./unavailable.ts";

/** The first version that takes variables, sizes and exact targets as they are used here. */
const LEAST = [3, 2] as const;

const DEADLINE_MS = 10_000;
const LIMIT_BYTES = 4_096;

/** Versions are `3.3a`, `next-3.6`, `3.2-rc`; one without a number is newer than all. */
const VERSION = /^tmux (?:next-)?(\d+)\.(\d+)/;
const UNNUMBERED = /^tmux (?:master|openbsd-)/;

/** The tmux that is on the `PATH`, where that is new enough. Rejects with `TmuxUnavailable`. */
export async function findTmux(path = process.env["PATH"]): Promise<string> {
  const program = await findProgram("tmux", path);
  const wanted = `Install tmux ${LEAST.join(".")} or newer, or start sessions on the native backend.`;
  if (program === undefined) {
    throw new TmuxUnavailable(`There is no tmux on the PATH. ${wanted}`);
  }
  const { stdout, stderr } = await runProgram(
    {
      program,
      args: ["-V"],
      environment: { PATH: path },
      deadlineMs: DEADLINE_MS,
      limitBytes: LIMIT_BYTES,
    },
    new AbortController().signal,
  );
  const said = stdout.toString("utf8").trim();
  if (isNewEnough(said)) return program;
  const shown = JSON.stringify((said || stderr).slice(0, 100));
  throw new TmuxUnavailable(
    `tmux must be ${LEAST.join(".")} or newer, ${program} says ${shown}. ${wanted}`,
  );
}

function isNewEnough(said: string): boolean {
  const [, major, minor] = VERSION.exec(said) ?? [];
  if (major === undefined) return UNNUMBERED.test(said);
  const [least, then] = LEAST;
  return Number(major) > least || (Number(major) === least && Number(minor) >= then);
}
