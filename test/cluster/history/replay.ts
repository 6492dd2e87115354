import { folded, type Held, NOTHING } from "./held.ts";
import type { FrameRecord, ReaderHistory } from "./history.ts";
import type { Span } from "./spans.ts";

/** A frame, and what its reader held of its part before and after. */
export interface Step {
  readonly record: FrameRecord;
  readonly before: Held;
  readonly after: Held;
  /** The first frame of its part in its subscription. */
  readonly isFirst: boolean;
}

/** One instance's part of a topic, from a subscription to its end. */
export interface Part {
  readonly topic: string;
  readonly instance: string;
  readonly steps: readonly Step[];
}

/** A subscription to a topic, from its reply to the next one or the end of the connection. */
export interface Subscription extends Span {
  readonly topic: string;
  readonly parts: ReadonlyMap<string, Part>;
}

/** What a reader made of what it was sent. */
export interface Replayed {
  readonly reader: ReaderHistory;
  readonly subscriptions: readonly Subscription[];
  /** When it did not take what it was sent. */
  readonly stalls: readonly Span[];
}

interface OpenPart extends Part {
  readonly steps: Step[];
}

interface OpenSubscription {
  readonly topic: string;
  readonly from: number;
  to: number;
  readonly parts: Map<string, OpenPart>;
}

/** Replays what a reader was sent. `endsAt` ends what has not ended. */
export function replayed(reader: ReaderHistory, endsAt: number): Replayed {
  const subscriptions: OpenSubscription[] = [];
  const open = new Map<string, OpenSubscription>();
  const stalls: { from: number; to: number }[] = [];
  const end = (subscription: OpenSubscription | undefined, at: number) => {
    if (subscription !== undefined) subscription.to = at;
  };
  for (const record of reader.records) {
    const { kind, at } = record;
    if (kind === "subscribed") {
      end(open.get(record.topic), at);
      const begun = { topic: record.topic, from: at, to: endsAt, parts: new Map() };
      open.set(record.topic, begun);
      subscriptions.push(begun);
    }
    if (kind === "frame") take(open.get(record.frame.topic), record);
    if (kind === "stalled") stalls.push({ from: at, to: Number.POSITIVE_INFINITY });
    const isOver = kind === "disconnected" || kind === "left";
    if (kind === "flowing" || isOver) closeLast(stalls, at);
    if (isOver) {
      for (const subscription of open.values()) end(subscription, at);
      open.clear();
    }
  }
  return { reader, subscriptions, stalls };
}

function closeLast(stalls: { from: number; to: number }[], at: number): void {
  const last = stalls.at(-1);
  if (last?.to === Number.POSITIVE_INFINITY) last.to = at;
}

/** A frame of a topic that is not subscribed to is nobody's. */
function take(subscription: OpenSubscription | undefined, record: FrameRecord): void {
  if (subscription === undefined) return;
  const { topic, instance } = record.frame;
  const part = subscription.parts.get(instance) ?? { topic, instance, steps: [] };
  subscription.parts.set(instance, part);
  const before = part.steps.at(-1)?.after ?? NOTHING;
  const after = folded(before, record.frame);
  part.steps.push({ record, before, after, isFirst: part.steps.length === 0 });
}

/** What a reader holds of a part at a time. */
export const heldAt = (part: Part | undefined, at: number): Held =>
  part?.steps.findLast((step) => step.record.at <= at)?.after ?? NOTHING;
