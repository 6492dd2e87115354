import { signal } from "@preact/signals";

/** How often what is told relative to now is told anew, in milliseconds. */
const TICK_MS = 1_000;

/** The time, in milliseconds since 1970: one for all of the page, and still while nobody sees it. */
export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, TICK_MS);

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) now.value = Date.now();
});

const UNITS: readonly [seconds: number, name: string][] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
];

/** How long it has been, in one unit: `now`, `5 min`, `3 h`, `2 d`. What lies in the future, by a clock that differs, is
 * now. */
export function since(at: number, until: number): string {
  const seconds = Math.max(0, (until - at) / 1_000);
  for (const [size, name] of UNITS) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${name}`;
  }
  return "now";
}

// Made once: the language's own words for a time make them anew each time, which takes longer than a row.
const TIME = { hour: "numeric", minute: "numeric", second: "numeric" } as const;
const time = new Intl.DateTimeFormat(undefined, TIME);
const dateAndTime = new Intl.DateTimeFormat(undefined, {
  ...TIME,
  ...{ year: "numeric", month: "numeric", day: "numeric" },
});

/** The time of day, with the date where it is not today's. */
export function clockTime(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return (isToday ? time : dateAndTime).format(date);
}
