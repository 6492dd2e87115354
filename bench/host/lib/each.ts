import { quantile } from "../../lib/figures.ts";
import type { Figure } from "./report.ts";
import { SYSTEM_NAMES, type SystemName } from "./systems.ts";

/** What all systems came to: samples for each, none where it is not installed. */
export type Samples = Record<SystemName, number[]>;

/** One for each system, by its name. */
export function forEach<Made>(make: (name: SystemName) => Made): Record<SystemName, Made> {
  return Object.fromEntries(SYSTEM_NAMES.map((name) => [name, make(name)])) as Record<
    SystemName,
    Made
  >;
}

/** A figure of a share of the samples, beside those of the others: all of them, unless said. */
export function quantileFigure(
  samples: Samples,
  share: number,
  { what, unit, goal }: Pick<Figure, "what" | "unit" | "goal">,
  beside: readonly SystemName[] = SYSTEM_NAMES,
): Figure {
  const at = (times: readonly number[]) =>
    times.length === 0 ? undefined : quantile(times, share);
  const others = beside.filter((name) => name !== "ours");
  const baselines = Object.fromEntries(others.map((name) => [name, at(samples[name])]));
  return { what, unit, ours: quantile(samples.ours, share), ...(goal ? { goal } : {}), baselines };
}

/** Of keys that were typed: in the middle, of a hundred the slowest, and of all. The goals in milliseconds. */
export function echoFigures(
  what: string,
  samples: Samples,
  { p50, p99 = 8 }: { readonly p50?: number; readonly p99?: number } = {},
): Figure[] {
  const n = samples.ours.length;
  const p50Goal = p50 === undefined ? {} : { goal: { below: p50 } };
  return [
    quantileFigure(samples, 0.5, { what: `${what}, p50 of ${n}`, unit: "ms", ...p50Goal }),
    quantileFigure(samples, 0.99, { what: `${what}, p99`, unit: "ms", goal: { below: p99 } }),
    quantileFigure(samples, 1, { what: `${what}, max`, unit: "ms" }),
  ];
}
