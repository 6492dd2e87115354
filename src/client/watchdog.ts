import { BOOKMARK_MS } from "../contract/envelope.ts";
import type { Cancel, Clock } from "./clock.ts";

/** How long a publisher that sends bookmarks may be silent before what it stated last is called stale: two
 * bookmarks may be late or lost, the third is not waited for. */
export const SILENCE_MS = 2.5 * BOOKMARK_MS;

/** Tells which of several things have not been heard from for SILENCE_MS. One timer serves all. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #fellSilent: (key: string) => void;
  readonly #heardAgain: (key: string) => void;
  readonly #heardAt = new Map<string, number>();
  readonly #silent = new Set<string>();
  #cancel: Cancel | undefined;

  constructor(
    clock: Clock,
    fellSilent: (key: string) => void,
    heardAgain: (key: string) => void = () => {},
  ) {
    this.#clock = clock;
    this.#fellSilent = fellSilent;
    this.#heardAgain = heardAgain;
  }

  /** It was heard from. The first time, it begins to be watched. */
  heard(key: string): void {
    this.#heardAt.set(key, this.#clock.monotonic());
    this.#cancel ??= this.#clock.schedule(SILENCE_MS, () => this.#look());
    if (this.#silent.delete(key)) this.#heardAgain(key);
  }

  isWatching(key: string): boolean {
    return this.#heardAt.has(key);
  }

  isSilent(key: string): boolean {
    return this.#silent.has(key);
  }

  /** Watches nothing any more. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#heardAt.clear();
    this.#silent.clear();
  }

  /** Frames come far more often than silences, so a frame only notes the time, and the timer looks where
   * the earliest deadline has moved to. */
  #look(): void {
    this.#cancel = undefined;
    const now = this.#clock.monotonic();
    const fallen: string[] = [];
    let earliest = Number.POSITIVE_INFINITY;
    for (const [key, heardAt] of this.#heardAt) {
      if (this.#silent.has(key)) continue;
      if (heardAt + SILENCE_MS <= now) fallen.push(key);
      else earliest = Math.min(earliest, heardAt);
    }
    for (const key of fallen) this.#silent.add(key);
    if (earliest < Number.POSITIVE_INFINITY) {
      this.#cancel = this.#clock.schedule(earliest + SILENCE_MS - now, () => this.#look());
    }
    for (const key of fallen) this.#fellSilent(key);
  }
}
