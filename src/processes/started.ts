import { bootInstant } from "./boot.ts";
import type { ProcessKey, ProcessSnapshot } from "./types.ts";

/** Milliseconds of one tick of procfs. Ticks are given in `USER_HZ`, which is 100 on every
 * architecture that Node runs on (Linux, include/asm-generic/param.h), whatever rate the kernel
 * itself is built with. */
const TICK_MS = 10;

/** Remembered starts between two sweeps; only a host that forks thousands of times a second comes
 * near it. */
const MAX_REMEMBERED = 65_536;

interface Remembered {
  readonly startTick: string;
  readonly at: number;
  /** Which sweep was the latest when it was computed. */
  readonly sweep: number;
}

/** Starts of processes in epoch milliseconds, right to some 10 ms. The instant of the boot comes out a
 * little differently at every reading, and setting the wall clock moves it, so an answer is kept as
 * long as its process lives. */
export interface StartTimes {
  of(process: ProcessKey): number | undefined;
  sweepBegins(): void;
  /** Forgets those that had ended when the sweep looked. */
  sweepEnded(snapshot: ProcessSnapshot): void;
}

export function createStartTimes(root: string): StartTimes {
  const remembered = new Map<number, Remembered>();
  let sweep = 0;
  let boot: number | undefined;
  return {
    of({ pid, startTick }) {
      const known = remembered.get(pid);
      if (known?.startTick === startTick) return known.at;
      boot ??= bootInstant(root);
      if (boot === undefined) return undefined;
      const at = boot + Number(startTick) * TICK_MS;
      if (!Number.isSafeInteger(at)) return undefined;
      if (remembered.size >= MAX_REMEMBERED) forgetOldest(remembered);
      remembered.set(pid, { startTick, at, sweep });
      return at;
    },
    sweepBegins() {
      sweep += 1;
      boot = undefined;
    },
    sweepEnded(snapshot) {
      for (const [pid, known] of remembered) {
        if (known.sweep < sweep && snapshot.get(pid)?.startTick !== known.startTick) {
          remembered.delete(pid);
        }
      }
    },
  };
}

function forgetOldest(remembered: Map<number, Remembered>): void {
  for (const pid of remembered.keys()) {
    remembered.delete(pid);
    return;
  }
}
