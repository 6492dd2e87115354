const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Does something so many times a second, by the clock, so that a stall delays it and leaves nothing out; after a stall no two come
 * closer than `gapMs`. Answers how many times. */
export async function paced(
  { ms, perSecond, gapMs = 0 }: { ms: number; perSecond: number; gapMs?: number },
  task: (index: number) => void,
): Promise<number> {
  const start = performance.now();
  const times = Math.round((ms * perSecond) / 1_000);
  let doneAt = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < times; index += 1) {
    const due = start + (index * 1_000) / perSecond;
    const wait = Math.max(due, doneAt + gapMs) - performance.now();
    if (wait > 0) await after(wait);
    doneAt = performance.now();
    task(index);
  }
  return times;
}
