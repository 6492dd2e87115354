import { Observation } from "../inventory/observation.ts";
import type { Observed } from "../inventory/observed.ts";
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
  const clock = systemClock;
  const sources = openSources({ clock, table, options });
  let last: Observed | undefined;
  let isDue = () => {};
  const observation = new Observation(
    { clock, instance, table, sources },
    {
      observed(observed) {
        last = observed;
        if (!observed.sources.some(({ status }) => status === "starting")) isDue();
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
  if (last?.sources.some(({ status }) => status === "starting")) await answered;
  clearTimeout(deadline);
  observation.release();
  const { terminals = [], sources: standing = [], polledAt } = last ?? {};
  return {
    terminals,
    sources: standing,
    ...(polledAt === undefined ? {} : { polledAt }),
  };
}
