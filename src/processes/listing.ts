import { opendirSync, readdirSync } from "node:fs";
import { isExhausted } from "./files.ts";

/** Entries that are listed at once: some 0.5 ms on a common machine, so that the listing of a host with
 * many thousands of processes falls into the slices of a sweep too. */
const ENTRIES_AT_ONCE = 512;

/** Names in procfs's listing that are processes; everything else there is about the kernel. */
const PID = /^[1-9]\d*$/;

/** All process numbers, in rising order. At once it takes a third of what `walkPids` does. */
export function listPids(root: string): number[] {
  return readdirSync(root)
    .filter((name) => PID.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** All process numbers, listed as they are asked for. What reads them may pause meanwhile: the kernel
 * goes on behind the number where it stopped. */
export function* walkPids(root: string): Generator<number, void, undefined> {
  const folder = opendirSync(root, { bufferSize: ENTRIES_AT_ONCE });
  let last = 0;
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (!PID.test(entry.name)) continue;
      last = Number(entry.name);
      yield last;
    }
  } catch (error) {
    if (isExhausted(error)) throw error;
    // Of a process that ends as it is listed the kernel states no type (`proc_fill_cache`). Node then looks for
    // itself and throws, and all that it has listed with it is lost.
    for (const pid of listPids(root)) if (pid > last) yield pid;
  } finally {
    folder.closeSync();
  }
}
