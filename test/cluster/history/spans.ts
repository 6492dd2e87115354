/** From `from` on and before `to`, in milliseconds; one that has not ended ends at infinity. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Whether any of the spans has to do with the time from `from` to `to`. */
export const touches = (spans: readonly Span[], from: number, to: number): boolean =>
  spans.some((span) => span.from <= to && span.to >= from);

/** The times from `from` to `to` that no span has to do with, in order. */
export function gapsBetween(spans: readonly Span[], from: number, to: number): Span[] {
  const gaps: Span[] = [];
  let at = from;
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    if (span.from > at) gaps.push({ from: at, to: Math.min(span.from, to) });
    at = Math.max(at, span.to);
    if (at >= to) return gaps;
  }
  return at < to ? [...gaps, { from: at, to }] : gaps;
}
