import type { Subscription, TopicView } from "../client/types.ts";
import type { AgentInfo } from "../contract/agents.ts";
import type { InstanceId } from "../contract/identifiers.ts";
import type { Cancel, Clock } from "../time/clock.ts";
import { agentsListingOf, type Topic } from "./ask.ts";
import { type AgentEvent, Attachments, type Entrance } from "./attachments.ts";
import { EXIT } from "./failure.ts";
import { History, type TerminalEvent } from "./history.ts";
import { agentsUnknown } from "./listing.ts";
import { onStopSignals } from "./signals.ts";
import { type Standing, standingOf } from "./standing.ts";

/** How long after a change all rows are looked at together, in milliseconds: two of the periods in which a publisher
 * sends, so that the frames of one moment, of which each topic has its own, are there. */
const TOGETHER_MS = 20;

/** One way of showing what happens. */
export interface Face {
  /** Told after each change of the rows of terminals, also where only their freshness changed. */
  terminals?(events: readonly TerminalEvent[]): void;
  /** Told after each look at terminals and agents together, the first of which tells nothing of terminals. */
  agents?(events: readonly AgentEvent[], entrances: readonly Entrance[]): void;
  /** Told when the rows may be shown anew. */
  changed?(): void;
  /** Told when the rows stand otherwise than before. */
  stands?(standing: Standing): void;
  /** Told that it is not known which agents there are, and why; and whether the publisher tells of none at all. May
   * throw to end it. */
  agentsUnknown?(why: string, isRefused: boolean): void;
  end?(): void;
}

/** Tells the faces everything until a signal comes. Rejects when no publisher can be had any more, or a face cannot
 * go on; `refusal` says why the publisher refused, in words for people. */
export function follow(
  subscription: Subscription<Topic>,
  faces: readonly Face[],
  { clock, refusal }: { readonly clock: Clock; readonly refusal: (error: Error) => Error },
): Promise<void> {
  const follower = new Follower(subscription, faces, clock);
  return new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => {
      follower.end();
      settle();
    };
    onStopSignals({
      first: () => end(resolve),
      again: () => process.exit(EXIT.failed),
    });
    follower.begin((error) => end(() => reject(refusal(error))));
  });
}

class Follower {
  readonly #subscription: Subscription<Topic>;
  readonly #faces: readonly Face[];
  readonly #clock: Clock;
  readonly #terminals = new History("terminals", (last, row) => last.state === row.state);
  readonly #agents = new History("agents", () => true);
  readonly #attachments = new Attachments();
  /** Which instances are to be looked at. */
  readonly #due = new Set<InstanceId>();
  #look: Cancel | undefined;
  #fail: (error: Error) => void = () => {};
  #standing: Standing["state"] | undefined;
  #unknown: string | undefined;

  constructor(subscription: Subscription<Topic>, faces: readonly Face[], clock: Clock) {
    this.#subscription = subscription;
    this.#faces = faces;
    this.#clock = clock;
  }

  begin(fail: (error: Error) => void): void {
    const subscription = this.#subscription;
    this.#fail = fail;
    subscription.on("frame", (frame) => {
      if (frame.topic === "terminals") this.#terminals.note(frame);
      else this.#agents.note(frame);
    });
    subscription.on("change", (change) => {
      if (change.topic === "terminals") {
        const events = this.#terminals.take(change, subscription.view("terminals"));
        this.#attachments.noteTerminals(events);
        for (const face of this.#faces) face.terminals?.(events);
      } else {
        const events = this.#agents.take(change, subscription.view("agents"));
        this.#attachments.noteAgents(events);
      }
      for (const face of this.#faces) face.changed?.();
      this.#lookSoon([change.instance]);
      this.#stands();
    });
    subscription.on("status", (status) => {
      this.#stands();
      if (status.state === "failed") fail(status.error);
    });
    subscription.on("problem", ({ kind, topic, message }) => {
      if (kind !== "refused") return;
      if (subscription.view("terminals").status === "refused") fail(new Error(message));
      else if (topic === "agents") this.#lookSoon(subscription.view("terminals").instances.keys());
    });
  }

  end(): void {
    this.#look?.();
    this.#subscription.close();
    for (const face of this.#faces) face.end?.();
  }

  #stands(): void {
    const standing = standingOf(this.#subscription);
    if (standing === undefined || standing.state === this.#standing) return;
    // Being up to date is worth no word as long as nothing else was said.
    const isBeginning = this.#standing === undefined && standing.state === "live";
    this.#standing = standing.state;
    for (const face of this.#faces) if (!isBeginning) face.stands?.(standing);
  }

  #lookSoon(instances: Iterable<InstanceId>): void {
    for (const instance of instances) this.#due.add(instance);
    this.#look ??= this.#clock.schedule(TOGETHER_MS, () => {
      this.#look = undefined;
      try {
        this.#lookNow();
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  #lookNow(): void {
    const terminals = this.#subscription.view("terminals");
    const agents = this.#subscription.view("agents");
    // What belongs to an earlier connection, or lacks a frame, is no moment's.
    if (terminals.status !== "current" || agents.status === "waiting") return;
    this.#tellUnknown(agents);
    for (const instance of this.#due) {
      const isRefused = agents.status === "refused";
      const isKnown = isRefused || this.#agents.isSettled(instance);
      if (!this.#terminals.isSettled(instance) || !isKnown) continue;
      this.#due.delete(instance);
      const { entrances, agents: events } = this.#attachments.look(
        instance,
        [...(terminals.instances.get(instance)?.rows.values() ?? [])],
        [...(agents.instances.get(instance)?.rows.values() ?? [])],
      );
      for (const face of this.#faces) face.agents?.(events, entrances);
    }
  }

  #tellUnknown(agents: TopicView<AgentInfo>): void {
    const unknown = agentsUnknown(agentsListingOf(agents));
    if (unknown !== undefined && unknown !== this.#unknown) {
      for (const face of this.#faces) face.agentsUnknown?.(unknown, agents.status === "refused");
    }
    this.#unknown = unknown;
  }
}
