import { reasonOf } from "../../../files/reason.ts";
import type { Cancel, Clock } from "../../../time/clock.ts";
import { ActingError } from "../../failure.ts";
import type { Pane } from "../../tmux/pane.ts";
import { Film } from "./film.ts";
import { Pace } from "./pace.ts";
import type { Scene } from "./scene.ts";
import type { ServerReads } from "./server-reads.ts";

/** How long after a look that failed the next one is made, in milliseconds, at first and at most. */
const RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;

/** Somebody who is shown what a pane shows. */
export interface Onlooker {
  /** Whether it takes a picture now. While none of them does the pane is not looked at. */
  readonly isReady: boolean;
  show(scene: Scene): void;
  /** The pane could not be looked at, and nobody knows yet why. Said once, until it can be again. */
  trouble(message: string): void;
  /** `undefined`: the pane is gone. Once, and last. */
  over(why: ActingError | undefined): void;
}

export interface FollowerParts {
  readonly pane: Pane;
  /** What the pane's server reads; absent where it cannot be known. */
  readonly reads: ServerReads | undefined;
  readonly clock: Clock;
  /** Nobody looks any more, or there is nothing to look at. */
  ended(): void;
}

/** Looks at a pane for all who look at it, and only as long as somebody does. */
export class Follower {
  readonly #parts: FollowerParts;
  readonly #film: Film;
  readonly #reads: ServerReads | undefined;
  readonly #pace: Pace;
  readonly #onlookers = new Set<Onlooker>();
  readonly #stop = new AbortController();
  #joining = 0;
  #timer: Cancel | undefined;
  #looking: Promise<Scene> | undefined;
  /** How often the server had read before the last look. */
  #readsBefore = "";
  /** How long is waited after a look that failed. Absent after one that did not. */
  #retryMs: number | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#film = new Film(parts.pane, this.#stop.signal);
    this.#reads = parts.reads;
    this.#pace = new Pace(this.#reads !== undefined);
  }

  /** Resolves once there is something to show to somebody, who is shown it from then on. Rejects where the pane cannot be
   * looked at. */
  async join(onlooker: Onlooker): Promise<Scene> {
    this.#joining += 1;
    try {
      const scene = await this.#look();
      this.#onlookers.add(onlooker);
      return scene;
    } finally {
      this.#joining -= 1;
      this.#arrange();
    }
  }

  leave(onlooker: Onlooker): void {
    this.#onlookers.delete(onlooker);
    this.#arrange();
  }

  /** Somebody is ready for another picture. */
  wake(): void {
    this.#arrange();
  }

  /** Something was typed, of which something may come. */
  typed(): void {
    this.#pace.typed(this.#now);
    this.#arrange();
  }

  /** Something was done with the pane. */
  lookNow(): void {
    void this.#look().catch(() => {});
  }

  get #now(): number {
    return this.#parts.clock.monotonic();
  }

  get #hasRead(): boolean {
    return this.#reads?.count !== this.#readsBefore;
  }

  #look(): Promise<Scene> {
    this.#timer?.();
    this.#looking ??= this.#take().finally(() => {
      this.#looking = undefined;
      this.#arrange();
    });
    return this.#looking;
  }

  async #take(): Promise<Scene> {
    const began = this.#now;
    const hasRead = this.#hasRead;
    this.#readsBefore = this.#reads?.count ?? "";
    const before = this.#film.scene;
    let scene: Scene;
    try {
      scene = await this.#film.take();
    } catch (error) {
      throw this.#failed(error);
    }
    const now = this.#now;
    this.#retryMs = undefined;
    // Of a size that a command changed its server reads nothing.
    const isExplained = hasRead || scene.passed !== before?.passed;
    this.#pace.looked(now, now - began, scene !== before, isExplained);
    for (const onlooker of this.#onlookers) onlooker.show(scene);
    return scene;
  }

  #failed(error: unknown): unknown {
    if (this.#stop.signal.aborted) return error;
    if (!(error instanceof ActingError)) {
      this.#end(new ActingError("no_answer", `the pane cannot be looked at: ${reasonOf(error)}`));
    } else if (error.reason === "gone") this.#end(undefined);
    else if (error.reason === "changed") this.#end(error);
    else {
      if (this.#retryMs === undefined) {
        for (const onlooker of this.#onlookers) onlooker.trouble(error.message);
      }
      this.#retryMs = Math.min((this.#retryMs ?? RETRY_MS / 2) * 2, MAX_RETRY_MS);
    }
    return error;
  }

  /** Sees to it that the pane is looked at when it is time, or not at all. */
  #arrange(): void {
    this.#timer?.();
    this.#timer = undefined;
    if (this.#onlookers.size === 0 && this.#joining === 0) this.#close();
    if (this.#looking !== undefined || this.#stop.signal.aborted) return;
    if (![...this.#onlookers].some(({ isReady }) => isReady)) return;
    const { clock } = this.#parts;
    if (this.#retryMs !== undefined) {
      this.#timer = clock.schedule(this.#retryMs, () => this.lookNow());
      return;
    }
    const wait = this.#pace.waitMs(this.#now, this.#hasRead);
    this.#timer = clock.schedule(wait, () => {
      if (this.#pace.isDue(this.#now, this.#hasRead)) this.lookNow();
      else this.#arrange();
    });
  }

  #end(why: ActingError | undefined): void {
    const onlookers = [...this.#onlookers];
    this.#onlookers.clear();
    this.#close();
    for (const onlooker of onlookers) onlooker.over(why);
  }

  #close(): void {
    if (this.#stop.signal.aborted) return;
    this.#timer?.();
    this.#timer = undefined;
    this.#stop.abort();
    this.#reads?.close();
    this.#parts.ended();
  }
}
