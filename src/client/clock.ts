/** Ends something that was arranged. Calling it again does nothing. */
export type Cancel = () => void;

/** Time as a subscription sees it. Pass another one to hold it still in a test. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some fixed point; never goes back. */
  monotonic(): number;
  /** Runs the task once after the delay in milliseconds, unless cancelled. */
  schedule(delayMs: number, task: () => void): Cancel;
}

/** The machine's own time. Its timers keep a Node process alive: a subscription that waits for its next
 * try has no socket that would. */
export const hostClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
