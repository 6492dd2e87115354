import { PROBE_LIMIT_MS } from "./limits.ts";
import type { Pace } from "./probe-queue.ts";
import { Asking } from "./probes/asking.ts";
import type { Probe } from "./probes/probe.ts";
import { nextTick, sharedTick } from "./ticks.ts";
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
  let current: Asking | undefined;
  /** One that was given up may hang in the system still: no further one is put behind it. */
  let isHanging = false;
  const pace: Pace = { isSlow: false };
  const arm = () => {
    cancel = deadlines.at(due, () => {
      due = nextTick(due, intervalMs, clock.monotonic());
      arm();
      if (current === undefined && !isHanging) ask();
    });
  };
  const ask = () => {
    const asked = new Asking();
    current = asked;
    const job = async () => {
      isHanging = true;
      const answer = probe(asked).finally(() => {
        isHanging = false;
      });
      const isMet = await inTime(answer, asked, { clock, deadlines });
      // Another may have begun since this one was stopped.
      if (current !== asked) return;
      current = undefined;
      looked(isMet);
    };
    drop = probes.add(session, job, pace);
  };
  return {
    start({ due_ms } = {}) {
      const first =
        due_ms === undefined ? clock.monotonic() + intervalMs : monotonicOf(clock, due_ms);
      due = sharedTick(first, intervalMs);
      arm();
    },
    save: () => ({ due_ms: wallTimeOf(clock, due) }),
    stop() {
      cancel();
      drop();
      current?.giveUp();
      current = undefined;
    },
  };
}

/** Whether it is met; not where that cannot be told in time. */
function inTime(
  answer: Promise<boolean>,
  asked: Asking,
  { clock, deadlines }: Pick<WatchGround, "clock" | "deadlines">,
): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = deadlines.at(clock.monotonic() + PROBE_LIMIT_MS, () => asked.giveUp());
    const told = (isMet: boolean) => {
      cancel();
      resolve(isMet);
    };
    asked.onGivenUp(() => told(false));
    answer.then(told, () => told(false));
  });
}
