import type { Explanation } from "../inventory/explain.ts";
import { Observation } from "../inventory/observation.ts";
import type { Observed, Standing } from "../inventory/observed.ts";
import type { ProcessTable } from "../processes/types.ts";
import { systemClock } from "../time/clock.ts";
import type { Listing } from "./listing.ts";
import type { InventoryOptions } from "./options.ts";
import { openSources } from "./sources.ts";

/** How long a place may take to answer or to be given up: more than a source's own deadline. */
const ANSWER_MS = 3_000;

/** Looks at this host once. Every place has answered, or is stated as it is. */
export async function takeInventory(
  instance: string,
  table: ProcessTable,
  options: InventoryOptions,
): Promise<Listing> {
  const { observed } = await lookOnce(instance, table, options);
  const { terminals, agents } = observed ?? {};
  return {
    terminals: terminals?.rows ?? [],
    sources: terminals?.sources ?? [],
    agents: agents?.rows ?? [],
    agentSources: agents?.sources ?? [],
    ...(terminals?.polledAt === undefined ? {} : { polledAt: terminals.polledAt }),
    ...(agents?.polledAt === undefined ? {} : { agentsPolledAt: agents.polledAt }),
  };
}

/** Looks at this host once, and tells how the rows came to be. */
export async function takeExplanation(
  instance: string,
  table: ProcessTable,
  options: InventoryOptions,
): Promise<Explanation> {
  const { explanation } = await lookOnce(instance, table, options);
  return explanation ?? { terminals: [], sources: [], agentSources: [] };
}

interface Look {
  readonly observed: Observed | undefined;
  readonly explanation: Explanation | undefined;
}

async function lookOnce(
  instance: string,
  table: ProcessTable,
  options: InventoryOptions,
): Promise<Look> {
  const clock = systemClock;
  const opened = await openSources({ clock, table, instance, options });
  let observed: Observed | undefined;
  let isDue = () => {};
  const isWaiting = () =>
    observed !== undefined && [observed.terminals, observed.agents].some(isStarting);
  const observation = new Observation(
    { clock, instance, table, ...opened },
    {
      observed(now) {
        observed = now;
        if (!isWaiting()) isDue();
      },
      bookmark() {},
      stopped() {},
    },
  );
  observation.acquire();
  // The timer also keeps the process alive: those of the observation do not.
  const deadline = setTimeout(() => isDue(), ANSWER_MS);
  const answered = new Promise<void>((resolve) => {
    isDue = resolve;
  });
  await observation.fresh();
  if (isWaiting()) await answered;
  clearTimeout(deadline);
  const explanation = observation.explain();
  observation.release();
  return { observed, explanation };
}

const isStarting = ({ sources }: Standing) => sources.some(({ status }) => status === "starting");
