const UNITS = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "m", ms: 60_000 },
  { name: "s", ms: 1_000 },
] as const;

/** How long ago an instant was, in the largest unit that it fills: `3m`. One to come is `0s`: clocks differ. */
export function ago(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  const { name, ms } = UNITS.find((unit) => passed >= unit.ms) ?? UNITS[3];
  return `${Math.floor(passed / ms)}${name}`;
}
