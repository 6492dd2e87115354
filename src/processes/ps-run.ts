import { execFile } from "node:child_process";
import type { Clock } from "../time/clock.ts";
import { PS_COLUMNS } from "./ps-text.ts";

/** Many times what `ps` takes on a loaded host. Beyond it the sweep fails and the next may run. */
const DEADLINE_MS = 10_000;

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Every column is asked for by an option of its own: in `-o pid=,ppid=` POSIX takes all behind the
 * first `=` for its heading. */
export function printPs(signal: AbortSignal): Promise<string> {
  const columns = PS_COLUMNS.flatMap((column) => ["-o", `${column}=`]);
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC0" };
  return new Promise((resolve, reject) => {
    execFile(
      "ps",
      ["-A", "-ww", ...columns],
      { env, signal, killSignal: "SIGKILL", maxBuffer: MAX_OUTPUT_BYTES },
      (error, output) => (error ? reject(error) : resolve(output)),
    );
  });
}

/** Fails when the deadline passes or the table is closed, whichever part of the run still goes
 * on. */
export async function withDeadline<T>(
  clock: Clock,
  closed: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  closed.throwIfAborted();
  const late = new AbortController();
  const signal = AbortSignal.any([closed, late.signal]);
  const cancel = clock.schedule(DEADLINE_MS, () =>
    late.abort(new Error(`\`ps\` did not answer within ${DEADLINE_MS} ms`)),
  );
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([run(signal), aborted]);
  } finally {
    cancel();
  }
}
