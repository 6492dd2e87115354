import { loadavg } from "node:os";

/** One line of a table. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly goal?: { readonly below: number } | { readonly atLeast: number };
  /** By name; absent where it could not be measured here. */
  readonly baselines?: Readonly<Record<string, number | undefined>>;
}

/** Prints a benchmark's figures, each beside its goal and its baselines, and all of them as one line of JSON. */
export function report(benchmark: string, figures: readonly Figure[]): void {
  for (const figure of figures) console.log(lineOf(figure));
  const rounded = (_: string, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(4)) : value;
  const load = loadavg().map((average) => Math.round(average * 100) / 100);
  console.log(JSON.stringify({ benchmark, at: new Date().toISOString(), load, figures }, rounded));
}

function lineOf({ what, unit, ours, goal, baselines = {} }: Figure): string {
  const others = Object.entries(baselines).map(
    ([name, value]) => `${name} ${value === undefined ? "skipped: not there" : shown(value, unit)}`,
  );
  const own = `${what.padEnd(44)} ${shown(ours, unit).padStart(12)}  ${goalText(goal, ours, unit).padEnd(26)}`;
  return others.length === 0 ? own.trimEnd() : `${own}  ${others.join(", ")}`;
}

function goalText(goal: Figure["goal"], ours: number, unit: string): string {
  if (goal === undefined) return "";
  const isMet = "below" in goal ? ours < goal.below : ours >= goal.atLeast;
  const bound = "below" in goal ? `< ${goal.below}` : `>= ${goal.atLeast}`;
  return `goal ${bound} ${unit} ${isMet ? "met" : "MISSED"}`;
}

const shown = (value: number, unit: string) =>
  `${Number.isInteger(value) ? value : value.toFixed(Math.abs(value) < 10 ? 2 : 1)} ${unit}`;
