import { runProgram } from "../../../sources/run-program.ts";
import { commandLineWithin } from "../../sandbox/enter.ts";
import { PROBE_ANSWER_BYTES, PROBE_LIMIT_MS } from "../limits.ts";
import { factsOf, type Place } from "../places.ts";
import type { MonitoredSession } from "../session.ts";

/** A command of a shell that says by its exit whether a condition is met. */
export interface ProbeCommand {
  readonly command: string;
  readonly cwd: Place;
  /** The folder that `cwd` was when the monitor was defined. */
  readonly identity: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** What it runs in. Absent: it runs free. */
  readonly sandbox: MonitoredSession["sandbox"];
}

/** Whether the command exits with 0, in time and without many words, in the folder that was meant. */
export async function commandSucceeds(probe: ProbeCommand, signal: AbortSignal): Promise<boolean> {
  const folder = await factsOf(probe.cwd);
  if (folder?.identity !== probe.identity || !folder?.isFolder || signal.aborted) return false;
  const commandLine = await commandLineOf(probe, folder.path);
  if (commandLine === undefined || signal.aborted) return false;
  const [program, ...args] = commandLine;
  const run = {
    program,
    args,
    cwd: folder.path,
    environment: probe.environment,
    deadlineMs: PROBE_LIMIT_MS,
    limitBytes: PROBE_ANSWER_BYTES,
    leavesNothing: true,
  };
  const answer = await runProgram(run, signal);
  return answer.exitCode === 0 && answer.ended === undefined;
}

/** Undefined where its sandbox is not there (any more): it runs nowhere else. */
async function commandLineOf(
  { command, sandbox }: ProbeCommand,
  folder: string,
): Promise<[string, ...string[]] | undefined> {
  if (sandbox === undefined) return ["/bin/sh", "-c", command];
  return sandbox.pid === undefined ? undefined : commandLineWithin(sandbox.pid, command, folder);
}
