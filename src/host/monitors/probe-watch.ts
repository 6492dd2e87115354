import type { Clock } from "../../time/clock.ts";
import { PROBE_LIMIT_MS } from "./limits.ts";
import type { Probe } from "./probes/probe.ts";
import { nextTick } from "./ticks.ts";
import { monotonicOf, wallTimeOf } from "./wall-time.ts";
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
  /** One that was given up may hang in the system still: no further one is put behind it. */
  let isHanging = false;
  const arm = () => {
    cancel = deadlines.at(due, () => {
      due = nextTick(due, intervalMs, clock.monotonic());
      arm();
      if (current === undefined && !isHanging) ask();
    });
  };
  const ask = () => {
    const asked = new AbortController();
    current = asked;
    drop = probes.add(session, async () => {
      isHanging = true;
      const answer = probe(asked.signal).finally(() => {
        isHanging = false;
      });
      const isMet = await inTime(answer, asked, clock);
      // Another may have begun since this one was stopped.
      if (current !== asked) return;
      current = undefined;
      looked(isMet);
    });
  };
  return {
    start({ due_ms } = {}) {
      due = due_ms === undefined ? clock.monotonic() + intervalMs : monotonicOf(clock, due_ms);
      arm();
    },
    save: () => ({ due_ms: wallTimeOf(clock, due) }),
    stop() {
      cancel();
      drop();
      current?.abort();
      current = undefined;
    },
  };
}

/** Whether it is met; not where that cannot be told in time. */
async function inTime(
  answer: Promise<boolean>,
  asked: AbortController,
  clock: Clock,
): Promise<boolean> {
  const { signal } = asked;
  const cancel = clock.schedule(PROBE_LIMIT_MS, () => asked.abort());
  const stopped = new Promise<false>((resolve) => {
    signal.addEventListener("abort", () => resolve(false), { once: true });
  });
  try {
    return await Promise.race([answer, stopped]);
  } catch {
    return false;
  } finally {
    cancel();
  }
}
