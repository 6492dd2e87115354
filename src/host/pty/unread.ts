import { Buffer } from "node:buffer";
import type { Clock } from "../../time/clock.ts";
import { readSome } from "./descriptor.ts";

/** The kernel holds up to 4 KiB for the reader, and hands on what stands behind it when there is room, a little later. So
 * it is looked again, until that many looks in a row find nothing; each waits twice as long as the one before, from 1 ms
 * on. */
const IDLE_LOOKS = 3;

/** A program that reads takes its share; one that is fed by somebody else, in a hurry, must not keep this up for ever. */
const MAX_LOOKS = 32;

/** A reading gives one line at most where lines are edited, so up to 4 096 of them. This many take about 3 ms. */
const MAX_READS = 2_048;

const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Takes away the input that the programs of a terminal have not read, by reading it from the slave. A program that is
 * reading at this moment has it to itself, and nothing is taken. Resolves within some 10 ms, or 100 where there is always
 * more. */
export function discardUnread(slave: number, clock: Clock, isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let idle = 0;
    let looks = 0;
    const look = () => {
      if (isOver()) return resolve();
      idle = discardNow(slave) ? 0 : idle + 1;
      looks += 1;
      if (idle >= IDLE_LOOKS || looks >= MAX_LOOKS) return resolve();
      clock.schedule(2 ** Math.max(0, idle - 1), look);
    };
    look();
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
