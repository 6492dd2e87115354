import type { Cancel, Clock } from "../time/clock.ts";

/** How much a screen may have to parse before reading stops, and how little before it goes on, in bytes. Reading stops
 * for nobody else: no viewer holds a program up. */
const PAUSE_BYTES = 512 * 1024;
const RESUME_BYTES = 256 * 1024;

/** How often a screen that is behind is looked at, in milliseconds. */
const LOOK_MS = 2;

interface Parsing {
  readonly backlog: number;
  flush(): void;
}

/** Where output comes from. */
export interface Valve {
  pause(): void;
  resume(): void;
}

/** Reads no more of a terminal while its screen is behind. */
export class Pressure {
  readonly #screen: Parsing;
  readonly #clock: Clock;
  #isPaused = false;
  #due: Cancel | undefined;

  constructor(screen: Parsing, clock: Clock) {
    this.#screen = screen;
    this.#clock = clock;
  }

  /** The screen was given more. */
  look(pty: Valve): void {
    if (this.#isPaused || this.#screen.backlog <= PAUSE_BYTES) return;
    this.#isPaused = true;
    pty.pause();
    // No more will come for which some of it could wait.
    this.#screen.flush();
    this.#lookLater(pty);
  }

  /** There will be nothing to read any more. */
  end(): void {
    this.#isPaused = true;
    this.#due?.();
  }

  #lookLater(pty: Valve): void {
    this.#due = this.#clock.schedule(LOOK_MS, () => {
      if (this.#screen.backlog > RESUME_BYTES) {
        this.#lookLater(pty);
        return;
      }
      this.#isPaused = false;
      pty.resume();
    });
  }
}
