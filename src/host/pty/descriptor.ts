import type { Buffer } from "node:buffer";
import { readSync, writeSync } from "node:fs";

/** Reads what is there from a non-blocking descriptor. 0: nothing now. Throws when it cannot be read any more. */
export function readSome(descriptor: number, into: Buffer): number {
  try {
    return readSync(descriptor, into, 0, into.length, null);
  } catch (error) {
    if (wouldBlock(error)) return 0;
    throw error;
  }
}

/** Writes what the kernel takes at once to a non-blocking descriptor and answers how much that was. Throws when it
 * cannot be written any more. */
export function writeSome(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes, 0, bytes.length, null);
  } catch (error) {
    if (wouldBlock(error)) return 0;
    throw error;
  }
}

function wouldBlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
