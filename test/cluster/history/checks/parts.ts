import type { Ground } from "../ground.ts";
import type { RowTruth } from "../history.ts";
import type { Part, Replayed, Subscription } from "../replay.ts";
import { touches } from "../spans.ts";

export interface PartOfReader {
  readonly of: Replayed;
  readonly name: string;
  readonly gateway: string;
  readonly subscription: Subscription;
  readonly part: Part;
}

/** The topics whose frames carry sources and bookmarks. */
export const CHAINED: readonly string[] = ["terminals", "agents"];

/** Every part of every subscription to a topic with rows. */
export function* partsOf(ground: Ground): Generator<PartOfReader> {
  for (const of of ground.readers) {
    const { name, gateway } = of.reader;
    for (const subscription of of.subscriptions) {
      if (subscription.topic === "instances") continue;
      for (const part of subscription.parts.values())
        yield { of, name, gateway, subscription, part };
    }
  }
}

/** Whether the reader was subscribed and took what it was sent, all the while and a margin before. */
export function isListening(
  { of, subscription }: Pick<PartOfReader, "of" | "subscription">,
  from: number,
  to: number,
  marginMs: number,
): boolean {
  if (subscription.from > from || subscription.to < to) return false;
  return !touches(of.stalls, from - marginMs, to);
}

/** Whether a frame that arrived at that time was sent then, and did not wait for its reader. */
export const isPrompt = (ground: Ground, of: Replayed, at: number): boolean =>
  !touches(of.stalls, at - ground.settings.settleMs, at);

/** The truth about a row of `terminals`; `undefined` for one that never was. */
export const rowTruth = (ground: Ground, instance: string, key: unknown): RowTruth | undefined =>
  ground.truthOf(instance)?.rows.find((row) => row.key === key);

/** The subscriptions to a topic whose readers listen all the while. */
export function* listeners(
  ground: Ground,
  { topic, from, to }: { readonly topic: string; readonly from: number; readonly to: number },
): Generator<{ readonly of: Replayed; readonly subscription: Subscription }> {
  for (const of of ground.readers) {
    for (const subscription of of.subscriptions) {
      if (subscription.topic !== topic) continue;
      if (isListening({ of, subscription }, from, to, ground.settings.settleMs))
        yield { of, subscription };
    }
  }
}
