/** Ends something that was arranged. Calling it again does nothing. */
export type Cancel = () => void;

/** The longest delay that a timer of Node holds: about 24 days, in milliseconds. */
export const MAX_DELAY_MS = 2 ** 31 - 1;

/** Time as the rest of the code sees it, so that a test can hold it still. */
export interface Clock {
  /** The wall clock, in integer milliseconds since the Unix epoch. For what goes on the wire. */
  now(): number;
  /** Milliseconds since some fixed point; never goes back. For measuring how long something took. */
  monotonic(): number;
  /** Runs the task once after the delay in milliseconds, MAX_DELAY_MS at most, unless cancelled. It keeps no process alive. */
  schedule(delayMs: number, task: () => void): Cancel;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
