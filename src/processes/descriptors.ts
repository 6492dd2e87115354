import { type Dir, opendirSync, readlinkSync } from "node:fs";
import { isExhausted } from "./files.ts";

/** How many descriptors of one process are looked at, the lowest first: 2 to 4 ms. Programs have dozens; one that
 * has more than this is a server of many connections. */
export const MAX_DESCRIPTORS = 512;

/** Descriptors that are listed at once. */
const ENTRIES_AT_ONCE = 256;

/** Paths of the files that are open, by the links in `fd` of a process's folder of procfs; what has no path (pipes,
 * sockets) is left out. Undefined when they cannot be read. Throws when no folder could be. */
export function openFilesIn(folder: string): string[] | undefined {
  let descriptors: Dir | undefined;
  try {
    descriptors = opendirSync(`${folder}/fd`, { bufferSize: ENTRIES_AT_ONCE });
    const files: string[] = [];
    for (let looked = 0; looked < MAX_DESCRIPTORS; looked += 1) {
      const entry = descriptors.readSync();
      if (entry === null) break;
      const target = targetOf(`${folder}/fd/${entry.name}`);
      if (target?.startsWith("/")) files.push(target);
    }
    return files;
  } catch (error) {
    if (isExhausted(error)) throw error;
    return undefined;
  } finally {
    descriptors?.closeSync();
  }
}

/** Undefined where it was closed since it was listed. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
