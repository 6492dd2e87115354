/** Numbers from 0 up to 1 that are the same in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // A linear congruential generator modulo 2^32 (Numerical Recipes' constants): the upper bits are good enough here.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** When things happen that do not know of each other, so many a second on average, in milliseconds: the times between them are
 * exponentially distributed. */
export function changeTimes(perSecond: number, spanMs: number, random: () => number): number[] {
  const times: number[] = [];
  if (perSecond === 0) return times;
  const next = () => (-Math.log(1 - random()) * 1_000) / perSecond;
  for (let at = next(); at < spanMs; at += next()) times.push(at);
  return times;
}
