/** Shares runs of an expensive task among callers. Every caller gets a result of a run that began
 * at or after its call; at most one run is under way and at most one waits behind it. A run begins
 * after the caller's own turn, so calls of one turn share one. A run that fails fails for those
 * who share it and for nobody after them. */
export function shareRuns<T>(run: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;
  return () => {
    if (waiting !== undefined) return waiting;
    const next = underWay.then(() => {
      waiting = undefined;
      return run();
    });
    waiting = next;
    underWay = next.catch(() => {});
    return next;
  };
}
