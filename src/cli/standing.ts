import type { Subscription, TopicView } from "../client/types.ts";
import { TOPICS, type Topic } from "./ask.ts";

/** How far the rows can be relied on.
 *
 * - `live`: they are what the publisher states.
 * - `stale`: it is connected, but has been silent for longer than it should be.
 * - `away`: there is no connection, for the reason `why`; it is tried again. */
export type Standing =
  | { readonly state: "live" | "stale" }
  | { readonly state: "away"; readonly why: string };

/** How the rows stand; `undefined` on the way from one to another. */
export function standingOf(subscription: Subscription<Topic>): Standing | undefined {
  const { status } = subscription;
  if (status.state === "disconnected") return { state: "away", why: status.error.message };
  if (status.state === "stale") return { state: "stale" };
  if (status.state !== "live") return undefined;
  // A topic that the publisher does not give has nothing that could be out of date.
  const views: readonly TopicView<unknown>[] = TOPICS.map((topic) => subscription.view(topic));
  const given = views.filter((view) => view.status !== "refused");
  if (given.some((view) => view.status === "waiting")) return undefined;
  const isStale = given.some(({ instances }) => [...instances.values()].some(({ stale }) => stale));
  return { state: isStale ? "stale" : "live" };
}

/** The same for people. */
export function standingText(standing: Standing): string {
  switch (standing.state) {
    case "live":
      return "up to date";
    case "stale":
      return "the publisher is silent, what it said may be out of date";
    case "away":
      return `no connection, what is known may be out of date; trying again (${standing.why})`;
  }
}
