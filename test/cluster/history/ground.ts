import type { History, InstanceTruth, Run } from "./history.ts";
import type { PromiseId } from "./promises.ts";
import { type Replayed, replayed } from "./replay.ts";
import type { Settings } from "./settings.ts";
import { gapsBetween, type Span, touches } from "./spans.ts";

/** What the checks stand on: the history, replayed, and when who could hear of whom. */
export class Ground {
  readonly history: History;
  readonly settings: Settings;
  readonly readers: readonly Replayed[];
  readonly #instances: ReadonlyMap<string, InstanceTruth>;

  constructor(history: History, settings: Settings) {
    this.history = history;
    this.settings = settings;
    this.readers = history.readers.map((reader) => replayed(reader, history.endsAt));
    this.#instances = new Map(history.instances.map((instance) => [instance.id, instance]));
  }

  /** How often something was looked at that would have broken a promise had it been otherwise. */
  readonly stakes = new Map<PromiseId, number>();

  /** That promise was at stake once more. */
  stake(promise: PromiseId): void {
    this.stakes.set(promise, (this.stakes.get(promise) ?? 0) + 1);
  }

  truthOf(instance: string): InstanceTruth | undefined {
    return this.#instances.get(instance);
  }

  /** When its process certainly did not get on. */
  outOf(instance: string): Span[] {
    const truth = this.#instances.get(instance);
    if (truth === undefined) return [ALWAYS];
    return [...gapsBetween(truth.runs, ALWAYS.from, ALWAYS.to), ...truth.paused];
  }

  /** When it and the engine certainly did not hear each other. */
  silenceOf(instance: string): Span[] {
    const { engineOut } = this.history;
    return [...this.outOf(instance), ...(this.truthOf(instance)?.cut ?? []), ...engineOut];
  }

  /** When it may not have heard the engine. */
  apartOf(instance: string): Span[] {
    return [...this.silenceOf(instance), ...this.#edges(instance)];
  }

  /** When what it says may not have reached the engine. A newcomer first looks whether another one has its id. */
  muteOf(instance: string): Span[] {
    const { heartbeatMs, staleMarginMs } = this.settings;
    const looking = heartbeatMs + staleMarginMs;
    const edges = this.#edges(instance, ({ isFirst }) => (isFirst ? 0 : looking));
    return [...this.silenceOf(instance), ...edges, ...this.history.engineFull];
  }

  /** When it begins, and when it ends after it was told to: it may get on by then, or not any more. */
  #edges(instance: string, afterMs: (run: Run) => number = () => 0): Span[] {
    const runs = this.truthOf(instance)?.runs ?? [];
    return runs.flatMap((run) => {
      const { from, listensAt, to, toldAt = to } = run;
      return [
        { from, to: listensAt + afterMs(run) },
        { from: toldAt, to },
      ];
    });
  }

  /** When a gateway could not be told by an instance how it is. */
  troublesBetween(gateway: string, instance: string): Span[] {
    const unread = this.truthOf(instance)?.unread ?? [];
    if (gateway === instance) return [...unread, ...this.outOf(instance), ...this.#edges(instance)];
    return [...unread, ...this.muteOf(instance), ...this.apartOf(gateway)];
  }

  /** Whether a gateway heard an instance all the while, and for so long before that all was settled. */
  isHeard(gateway: string, instance: string, from: number, to: number): boolean {
    const troubles = this.troublesBetween(gateway, instance);
    return !touches(troubles, from - this.settings.settleMs, to);
  }
}

const ALWAYS: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
