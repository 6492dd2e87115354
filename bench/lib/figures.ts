/** The value below which that share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One line of a table: what was measured, and its distribution in milliseconds. */
export function distribution(name: string, samples: readonly number[], missed = 0): string {
  const at = (share: number) => quantile(samples, share).toFixed(1).padStart(7);
  const figures = `p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)}  max ${at(1)} ms`;
  return `${name.padEnd(44)} ${figures}  n ${samples.length}${missed > 0 ? `, ${missed} never seen` : ""}`;
}
