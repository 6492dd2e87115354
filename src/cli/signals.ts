const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Within this time the same signal again is the same one: Ctrl-C in a terminal reaches npm and what it
 * runs alike, and npm passes on what it got. */
const SAME_SIGNAL_MS = 500;

export interface StopEvents {
  /** Somebody wants it to end. */
  first(signal: StopSignal): void;
  /** Somebody does not want to wait for that. */
  again(signal: StopSignal): void;
}

/** Takes the signals that end a program by default, or those of them that are named. Answers what leaves them to the system
 * again. */
export function onStopSignals(
  { first, again }: StopEvents,
  signals: readonly StopSignal[] = STOP_SIGNALS,
): () => void {
  let got: { readonly signal: StopSignal; readonly at: number } | undefined;
  const take = (signal: StopSignal) => {
    const at = performance.now();
    if (got === undefined) {
      got = { signal, at };
      first(signal);
    } else if (got.signal !== signal || at - got.at > SAME_SIGNAL_MS) again(signal);
  };
  for (const signal of signals) process.on(signal, take);
  return () => {
    for (const signal of signals) process.off(signal, take);
  };
}
