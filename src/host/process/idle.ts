import type { Cancel, Clock } from "../../time/clock.ts";

/** How long a host without terminals and without connections goes on, in milliseconds. Who opens one terminal after
 * another finds the same host. */
export const IDLE_MS = 30_000;

export interface IdleOptions {
  readonly clock: Clock;
  readonly afterMs: number;
  isIdle(): boolean;
  /** It has been idle for that long. */
  end(): void;
}

/** Tells when nobody has needed something for a while. */
export class Idle {
  readonly #options: IdleOptions;
  #cancel: Cancel | undefined;

  constructor(options: IdleOptions) {
    this.#options = options;
  }

  /** Something may be different. */
  look(): void {
    const { clock, afterMs, isIdle, end } = this.#options;
    if (!isIdle()) {
      this.stop();
      return;
    }
    this.#cancel ??= clock.schedule(afterMs, () => {
      this.#cancel = undefined;
      if (isIdle()) end();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
