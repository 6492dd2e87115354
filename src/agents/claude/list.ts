import { opendir } from "node:fs/promises";
import type { Fault } from "../../sources/source.ts";

/** How many names of a folder are looked at. A home has one for each run and some that were left behind. */
const MAX_NAMES = 65_536;

/** Entries that are looked at before others get to run: a crowded folder keeps nobody waiting. They take a fraction of
 * a millisecond; the bound is 5. */
const SLICE_ENTRIES = 64;

/** Kernels count processes up to 2^22 (Linux), so a longer number is none. Without leading zeros, or one process
 * would have several files. Files of an older generation are called `pid-<n>.json`. */
const STATE_FILE = /^([1-9]\d{0,9})\.json$/;

/** The process that a state file of this name is about. `undefined` where it is no state file. */
export function pidOfName(name: string): number | undefined {
  const digits = STATE_FILE.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** - `pids`: the processes that the folder has state files of; not `isWhole` where it has more names than are looked
 *   at.
 * - `missing`: there is no such folder.
 * - `failing`: it could not be read. */
export type Listing =
  | { readonly kind: "pids"; readonly pids: readonly number[]; readonly isWhole: boolean }
  | { readonly kind: "missing" }
  | { readonly kind: "failing"; readonly fault: Fault };

/** `pause` lets others run between two slices. Default: one turn of the event loop. */
export async function listStateFiles(folder: string, pause = nextTurn): Promise<Listing> {
  const pids: number[] = [];
  let names = 0;
  try {
    for await (const { name } of await opendir(folder, { bufferSize: SLICE_ENTRIES })) {
      names += 1;
      if (names % SLICE_ENTRIES === 0) await pause();
      if (names > MAX_NAMES) return { kind: "pids", pids, isWhole: false };
      const pid = pidOfName(name);
      if (pid !== undefined) pids.push(pid);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { kind: "missing" };
    return { kind: "failing", fault: { code: FAULTS[code ?? ""] ?? "unreadable", msg: message } };
  }
  return { kind: "pids", pids, isWhole: true };
}

const FAULTS: Readonly<Record<string, string>> = {
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  ENOTDIR: "not_a_folder",
  ELOOP: "circular_link",
};

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
