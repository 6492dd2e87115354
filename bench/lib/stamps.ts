/** Stands before the time of sending in what is measured. */
export const MARK = "sent:";

/** Comparable between the processes of one machine, and always as long. */
export const stamp = () => nowAt().toFixed(3).padStart(17, "0");

/** Milliseconds since 1970, finer than a millisecond. */
export const nowAt = () => performance.timeOrigin + performance.now();

/** The times of sending that a text holds. */
export function stampsIn(text: string): number[] {
  return text
    .split(MARK)
    .slice(1)
    .map((rest) => Number(rest.slice(0, 17)));
}
