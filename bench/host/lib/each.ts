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

/** A figure of a share of the samples, beside those of the others; of the others those without samples are not there. */
export function quantileFigure(
  samples: Samples,
  share: number,
  { what, unit, goal }: Pick<Figure, "what" | "unit" | "goal">,
): Figure {
  const at = (times: readonly number[]) =>
    times.length === 0 ? undefined : quantile(times, share);
  const { ours, ...others } = samples;
  const baselines = Object.fromEntries(
    Object.entries(others).map(([name, times]) => [name, at(times)]),
  );
  return { what, unit, ours: quantile(ours, share), ...(goal ? { goal } : {}), baselines };
}

/** Of keys that were typed: in the middle, of a hundred the slowest, and of all. */
export function echoFigures(what: string, samples: Samples, p50?: number): Figure[] {
  const n = samples.ours.length;
  const p50Goal = p50 === undefined ? {} : { goal: { below: p50 } };
  return [
    quantileFigure(samples, 0.5, { what: `${what}, p50 of ${n}`, unit: "ms", ...p50Goal }),
    quantileFigure(samples, 0.99, { what: `${what}, p99`, unit: "ms", goal: { below: 8 } }),
    quantileFigure(samples, 1, { what: `${what}, max`, unit: "ms" }),
  ];
}
