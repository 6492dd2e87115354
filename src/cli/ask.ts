import { subscribe } from "../client/index.ts";
import type { Transport } from "../client/transport.ts";
import type { TopicView } from "../client/types.ts";
import type { TerminalInfo } from "../contract/terminals.ts";
import type { Listing } from "./listing.ts";
import { VERSION } from "./version.ts";

/** How long a publisher may take to answer. It reads before it does, but waits a second at most for that. */
const ANSWER_MS = 3_000;

/** Asks a publisher for its terminals once. */
export async function ask(transport: Transport): Promise<Listing> {
  const subscription = subscribe({
    transport,
    topics: ["terminals"],
    reconnect: false,
    clientVersion: VERSION,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`no answer within ${ANSWER_MS / 1000} s`);
    timer = setTimeout(() => reject(error), ANSWER_MS);
  });
  try {
    await Promise.race([subscription.ready("terminals"), late]);
    return listingOf(subscription.view("terminals"));
  } finally {
    clearTimeout(timer);
    subscription.close();
  }
}

/** What is held of all instances. */
export function listingOf({ instances }: TopicView<TerminalInfo>): Listing {
  const views = [...instances.values()];
  const polled = views.flatMap(({ polledAt }) => polledAt ?? []);
  return {
    terminals: views.flatMap(({ rows }) => [...rows.values()]),
    sources: views.flatMap(({ sources }) => sources ?? []),
    ...(polled.length === 0 ? {} : { polledAt: Math.min(...polled) }),
  };
}
