import { quantile } from "../lib/figures.ts";
import { type Alone, endCrowd, FAST, Flooded, gatherCrowd, type Together } from "./lib/crowd.ts";
import { type Figure, report } from "./lib/report.ts";
import { stoppedViewerCost } from "./lib/stopped-viewers.ts";
import { endSystems, startSystems } from "./lib/systems.ts";

/** Fewer of those beside it: they are there to compare. */
const ROUNDS = { ours: 4, dtach: 1, tmux: 2 } as const;

const NAMES = ["ours", "dtach", "tmux"] as const satisfies (keyof typeof ROUNDS)[];
type Name = (typeof NAMES)[number];

/** In dtach an interrupt would wait for the stopped one. */
const INTERRUPTED = NAMES.filter((name) => name !== "dtach");

interface Measured {
  readonly alone: Alone[];
  readonly together: Together[];
}

/** B3. Six viewers of a flood, with a stopped one and one on 5 Mbit/s beside them and without, in turn: what the six lose by
 * the two, what the stopped one costs, and what an interrupt of the slow one and keys in another terminal take. */
export default async function fanOut(): Promise<void> {
  const systems = await startSystems();
  const crowd = await gatherCrowd();
  try {
    const measured = new Map<Name, Measured>();
    for (const name of NAMES) {
      const system = systems[name];
      if (system === undefined) continue;
      const flooded = await Flooded.open(system, crowd);
      const [alone, together]: [Alone[], Together[]] = [[], []];
      for (let round = 0; round < ROUNDS[name]; round += 1) {
        alone.push(await flooded.alone());
        const options = { slowLink: round % 2 === 0, interrupts: name !== "dtach" };
        together.push(await flooded.together(options));
      }
      await flooded.leave();
      measured.set(name, { alone, together });
    }
    const cost = await stoppedViewerCost(systems.ours, crowd.slow);
    report("B3 fan-out", [...figuresOf(measured), costFigure(cost)]);
  } finally {
    await endCrowd(crowd);
    await endSystems(systems);
  }
}

function figuresOf(measured: ReadonlyMap<Name, Measured>): Figure[] {
  const figure = (
    { what, unit, goal }: Pick<Figure, "what" | "unit" | "goal">,
    value: (measured: Measured) => number,
    beside: readonly Name[] = NAMES,
  ): Figure => {
    const of = (name: Name) => {
      const found = measured.get(name);
      return found === undefined ? undefined : value(found);
    };
    const others = beside.filter((name) => name !== "ours");
    const baselines = Object.fromEntries(others.map((name) => [name, of(name)]));
    return { what, unit, ours: of("ours") ?? Number.NaN, ...(goal ? { goal } : {}), baselines };
  };
  const rate = (spans: readonly Alone[]) =>
    quantile(
      spans.map((span) => span.rate),
      0.5,
    );
  const interrupts = (spans: readonly Together[], isSmall: boolean) =>
    spans
      .filter((_, round) => (round % 2 === 0) === isSmall)
      .map((span) => span.interrupt ?? Number.POSITIVE_INFINITY);
  return [
    figure({ what: `${FAST} fast viewers together`, unit: "MB/s" }, ({ alone }) => rate(alone)),
    figure(
      { what: "kept with the two beside them", unit: "%", goal: { atLeast: 90 } },
      ({ alone, together }) => (rate(together) / rate(alone)) * 100,
    ),
    figure(
      { what: "interrupt of the slow one, by 8 KiB, max", unit: "ms", goal: { below: 50 } },
      ({ together }) => Math.max(...interrupts(together, true)),
      INTERRUPTED,
    ),
    figure(
      { what: "the same by 64 KiB, max", unit: "ms", goal: { below: 250 } },
      ({ together }) => Math.max(...interrupts(together, false)),
      INTERRUPTED,
    ),
    figure({ what: "key in another terminal, p50", unit: "ms" }, ({ together }) =>
      quantile(
        together.flatMap(({ echo }) => echo),
        0.5,
      ),
    ),
    figure(
      { what: "key in another terminal, p99", unit: "ms", goal: { below: 8 } },
      ({ together }) =>
        quantile(
          together.flatMap(({ echo }) => echo),
          0.99,
        ),
    ),
  ];
}

const costFigure = (cost: number): Figure => ({
  what: "memory of a stopped viewer",
  unit: "KiB",
  ours: cost,
  goal: { below: 1_024 },
});
