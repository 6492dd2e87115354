import type { Clock } from "../../time/clock.ts";
import { PROBE_LIMIT_MS } from "./limits.ts";
import type { Probe } from "./probes/probe.ts";
import type { Watch, WatchEvents, WatchGround } from "./watch.ts";

interface Polling {
  readonly probe: Probe;
  readonly intervalMs: number;
}

/** Asks a probe in every interval. While one is under way or waits for its turn, intervals go by without another. */
export function watchByProbe(
  { probe, intervalMs }: Polling,
  { session, clock, deadlines, probes }: WatchGround,
  { looked }: WatchEvents,
): Watch {
  let due = 0;
  let cancel = () => {};
  let drop = () => {};
  let current: AbortController | undefined;
  const arm = () => {
    cancel = deadlines.at(due, () => {
      due = nextTick(due, intervalMs, clock.monotonic());
      arm();
      if (current === undefined) ask();
    });
  };
  const ask = () => {
    const asked = new AbortController();
    current = asked;
    drop = probes.add(session, async () => {
      const isMet = await inTime(probe, asked, clock);
      // Another may have begun since this one was stopped.
      if (current !== asked) return;
      current = undefined;
      looked(isMet);
    });
  };
  return {
    start() {
      due = clock.monotonic() + intervalMs;
      arm();
    },
    stop() {
      cancel();
      drop();
      current?.abort();
      current = undefined;
    },
  };
}

/** The next time of those that lie so far apart which has not passed. */
export function nextTick(due: number, intervalMs: number, now: number): number {
  return due + (Math.floor(Math.max(0, now - due) / intervalMs) + 1) * intervalMs;
}

/** Whether it is met; not where that cannot be told in time. */
async function inTime(probe: Probe, asked: AbortController, clock: Clock): Promise<boolean> {
  const { signal } = asked;
  const cancel = clock.schedule(PROBE_LIMIT_MS, () => asked.abort());
  const stopped = new Promise<false>((resolve) => {
    signal.addEventListener("abort", () => resolve(false), { once: true });
  });
  try {
    return await Promise.race([probe(signal), stopped]);
  } catch {
    return false;
  } finally {
    cancel();
  }
}
