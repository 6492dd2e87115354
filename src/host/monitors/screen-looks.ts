import type { Cancel, Clock } from "../../time/clock.ts";
import type { MonitoredSession } from "./session.ts";

/** How long after one look at the screen the next one begins at the earliest, in milliseconds: in a flood the screen is
 * read twenty times a second, after silence at once. */
const REST_MS = 50;

/** How long the last look may take, in milliseconds. */
const LAST_LOOK_MS = 2_000;

/** Reads a session's screen for those who look for something on it, when output came: once for all of them, and never two
 * readings at a time. */
export class ScreenLooks {
  readonly #session: MonitoredSession;
  readonly #clock: Clock;
  readonly #lookers = new Set<(text: Uint8Array) => void>();
  #isWanted = false;
  #reading: Promise<void> | undefined;
  #cancelRest: Cancel | undefined;

  constructor(session: MonitoredSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  /** Gives the screen as it is now, and after each output. The answer ends it. */
  follow(looker: (text: Uint8Array) => void): Cancel {
    this.#lookers.add(looker);
    this.look();
    return () => {
      this.#lookers.delete(looker);
      if (this.#lookers.size === 0) this.#endRest();
    };
  }

  /** The screen may be another. */
  look(): void {
    if (this.#lookers.size === 0) return;
    this.#isWanted = true;
    if (this.#reading === undefined && this.#cancelRest === undefined) this.#begin();
  }

  /** Resolves when everybody has been given the screen as it is now, or it could not be read in time. */
  async last(): Promise<void> {
    if (this.#lookers.size === 0) return;
    this.#isWanted = true;
    let cancel: Cancel = () => {};
    const timeUp = new Promise<void>((resolve) => {
      cancel = this.#clock.schedule(LAST_LOOK_MS, resolve);
    });
    await Promise.race([this.#readAll(), timeUp]);
    cancel();
  }

  async #readAll(): Promise<void> {
    while (this.#isWanted && this.#lookers.size > 0) {
      await this.#reading;
      this.#endRest();
      if (this.#isWanted && this.#reading === undefined) this.#begin();
    }
    await this.#reading;
  }

  #begin(): void {
    this.#isWanted = false;
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
      if (this.#lookers.size === 0) return;
      this.#cancelRest = this.#clock.schedule(REST_MS, () => {
        this.#cancelRest = undefined;
        if (this.#isWanted) this.#begin();
      });
    });
  }

  async #read(): Promise<void> {
    // One that cannot be read now is read again when output comes.
    const text = await this.#session.screenText().catch(() => undefined);
    if (text === undefined) return;
    const bytes = Buffer.from(text);
    for (const looker of [...this.#lookers]) if (this.#lookers.has(looker)) looker(bytes);
  }

  #endRest(): void {
    this.#cancelRest?.();
    this.#cancelRest = undefined;
  }
}
