import { Buffer } from "node:buffer";
import { closeSync, openSync, readlinkSync, readSync, statSync } from "node:fs";
import type { Cwd } from "./types.ts";

/** What the system answers when it has nothing left to read with. It says nothing of the file, so
 * it must not pass for "there is no such process". */
const EXHAUSTED: ReadonlySet<string | undefined> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

export const isExhausted = (error: unknown): boolean =>
  EXHAUSTED.has((error as NodeJS.ErrnoException).code);

/** Reads the beginning of a file of procfs into the buffer and returns how many bytes it got, or -1 when
 * the file cannot be read. Throws when no file could be. One reading is enough: procfs answers with all
 * that it has, up to what is asked for (`proc_pid_cmdline_read`, `environ_read` and `seq_read` of the
 * kernel), and to ask for the end as well would make each a quarter dearer. */
export function readInto(path: string, buffer: Buffer): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    if (isExhausted(error)) throw error;
    return -1;
  }
  try {
    return readSync(descriptor, buffer, 0, buffer.length, null);
  } catch (error) {
    if (isExhausted(error)) throw error;
    return -1;
  } finally {
    closeSync(descriptor);
  }
}

const DELETED = Buffer.from(" (deleted)");

/** Where a link of procfs (`cwd`, `exe`) leads. The kernel marks a target that was deleted by a
 * suffix which a living file may have in its own name; following the link tells them apart.
 * Undefined when it cannot be read. */
export function readKernelLink(link: string): Cwd | undefined {
  try {
    const target = readlinkSync(link, { encoding: "buffer" });
    const isMarked = target.subarray(-DELETED.length).equals(DELETED);
    if (!isMarked || leadsTo(link, target)) return { path: target.toString(), deleted: false };
    return { path: target.toString("utf8", 0, target.length - DELETED.length), deleted: true };
  } catch {
    return undefined;
  }
}

/** Whether the link's file is there under the link's text. A deleted file has no name left (link
 * count 0); where a filesystem counts otherwise, the text leads to nothing or to another file. */
function leadsTo(link: string, target: Buffer): boolean {
  const file = statSync(link);
  if (file.nlink === 0) return false;
  const named = statSync(target, { throwIfNoEntry: false });
  return named?.ino === file.ino && named.dev === file.dev;
}
