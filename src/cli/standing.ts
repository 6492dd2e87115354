import type { Subscription } from "../client/types.ts";

/** How far the rows can be relied on.
 *
 * - `live`: they are what the publisher states.
 * - `stale`: it is connected, but has been silent for longer than it should be.
 * - `away`: there is no connection, for the reason `why`; it is tried again. */
export type Standing =
  | { readonly state: "live" | "stale" }
  | { readonly state: "away"; readonly why: string };

/** How the rows stand; `undefined` on the way from one to another. */
export function standingOf(subscription: Subscription<"terminals">): Standing | undefined {
  const { status } = subscription;
  if (status.state === "disconnected") return { state: "away", why: status.error.message };
  if (status.state === "stale") return { state: "stale" };
  if (status.state !== "live") return undefined;
  const view = subscription.view("terminals");
  if (view.status !== "current") return undefined;
  const isStale = [...view.instances.values()].some(({ stale }) => stale);
  return { state: isStale ? "stale" : "live" };
}

/** The same for people. */
export function standingText(standing: Standing): string {
  switch (standing.state) {
    case "live":
      return "up to date";
    case "stale":
      return "the publisher is silent, the terminals may be out of date";
    case "away":
      return `no connection, the terminals may be out of date; trying again (${standing.why})`;
  }
}
