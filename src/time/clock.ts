/** Ends something that was arranged. Calling it again does nothing. */
export type Cancel = () => void;

/** Time as the rest of the code sees it, so that a test can hold it still. */
export interface Clock {
  /** The wall clock, in integer milliseconds since the Unix epoch. For what goes on the wire. */
  now(): number;
  /** Milliseconds since some fixed point; never goes back. For measuring how long something took. */
  monotonic(): number;
  /** Runs the task once after the delay in milliseconds, unless cancelled. It keeps no process alive. */
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
