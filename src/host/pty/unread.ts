import { Buffer } from "node:buffer";
import type { Clock } from "../../time/clock.ts";
import { readSome } from "./descriptor.ts";

/** The kernel holds up to 4 KiB for the reader and hands on what stands behind it when there is room, a little later.
 * So it is looked again, after these pauses in milliseconds, until two looks in a row find nothing. */
const PAUSES_MS = [1, 2, 4, 8, 8];

/** Reads at most this often in one look; the end of a file that somebody typed is a reading of nothing. */
const MAX_READS = 64;

const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Takes away the input that the programs of a terminal have not read, by reading it from the slave. A program that is
 * reading at this moment has it to itself, and nothing is taken. Resolves within 25 ms. */
export function discardUnread(slave: number, clock: Clock, isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let idle = 0;
    const look = (pauses: readonly number[]) => {
      if (isOver()) return resolve();
      idle = discardNow(slave) ? 0 : idle + 1;
      const [pause, ...rest] = pauses;
      if (idle >= 2 || pause === undefined) return resolve();
      clock.schedule(pause, () => look(rest));
    };
    look(PAUSES_MS);
  });
}

/** Whether there was anything. Takes what is at hand at this moment. */
export function discardNow(slave: number): boolean {
  let bytes = 0;
  try {
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const read = readSome(slave, scratch);
      if (read === 0) break;
      bytes += read;
    }
  } catch {
    // Hung up: there is no input any more.
  }
  return bytes > 0;
}
