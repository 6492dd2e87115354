import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** How much of a state file is read, in bytes. Real ones have less than 2 KiB. */
const STATE_BYTES = 64 * 1024;

/** Not to wait for whoever writes to a FIFO, not to get a terminal as our own, and not to open whatever device
 * a link leads to: some do something when they are opened. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW;

/** `unreadable`: something is there, and it is not to be had, too large, or no file. */
export type StateText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable" };

const UNREADABLE: StateText = { kind: "unreadable" };

export async function readStateFile(path: string): Promise<StateText> {
  let file: FileHandle;
  try {
    file = await open(path, FLAGS);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? { kind: "missing" } : UNREADABLE;
  }
  try {
    const stat = await file.stat();
    return stat.isFile() ? await readWhole(file, stat.size) : UNREADABLE;
  } catch {
    return UNREADABLE;
  } finally {
    await file.close().catch(() => {});
  }
}

/** `size` is what the file had a moment ago. If it is longer by now, the writer is at it, and what was read is
 * the beginning of a document or none at all. */
async function readWhole(file: FileHandle, size: number): Promise<StateText> {
  if (size > STATE_BYTES) return UNREADABLE;
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { kind: "text", text: bytes.toString("utf8", 0, length) };
}
