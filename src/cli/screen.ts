import type { WriteStream } from "node:tty";
import type { Cancel, Clock } from "../time/clock.ts";
import type { Listing } from "./listing.ts";
import { listingLines } from "./listing-lines.ts";
import type { Colors } from "./output.ts";
import { type Standing, standingText } from "./standing.ts";
import { clean, cut } from "./text.ts";

/** The shortest time between two drawings: more often nobody can read, and a slow terminal falls behind. */
const DRAW_MS = 50;

// xterm's control sequences (ctlseqs): the alternate screen keeps what was on the terminal.
const ENTER = "\x1b[?1049h\x1b[?25l";
const LEAVE = "\x1b[?25h\x1b[?1049l";
const HOME = "\x1b[H";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";

export interface ScreenOptions {
  /** What there is now. `undefined` as long as nothing has been heard. */
  readonly listing: () => Listing | undefined;
  readonly home: string;
  readonly colors: Colors;
}

/** Tables that are drawn over and over, as large as the terminal. */
export class Screen {
  readonly #output: WriteStream;
  readonly #clock: Clock;
  readonly #options: ScreenOptions;
  #standing: Standing | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #later: Cancel | undefined;

  constructor(output: WriteStream, clock: Clock, options: ScreenOptions) {
    this.#output = output;
    this.#clock = clock;
    this.#options = options;
    this.#output.write(ENTER);
    // However the program ends, the terminal gets back what was on it.
    process.on("exit", this.#leave);
    process.on("SIGTSTP", this.#suspend);
    process.on("SIGCONT", this.#resume);
    output.on("resize", this.#drawNow);
    this.draw();
  }

  stand(standing: Standing): void {
    this.#standing = standing;
    this.draw();
  }

  /** Draws what there is now, soon. */
  draw(): void {
    if (this.#later !== undefined) return;
    const wait = this.#drawnAt + DRAW_MS - this.#clock.monotonic();
    if (wait <= 0) this.#drawNow();
    else this.#later = this.#clock.schedule(wait, this.#drawNow);
  }

  end(): void {
    this.#later?.();
    process.off("exit", this.#leave);
    process.off("SIGTSTP", this.#suspend);
    process.off("SIGCONT", this.#resume);
    this.#output.off("resize", this.#drawNow);
    this.#leave();
  }

  readonly #leave = () => {
    this.#output.write(LEAVE);
  };

  readonly #suspend = () => {
    this.#leave();
    process.kill(process.pid, "SIGSTOP");
  };

  readonly #resume = () => {
    this.#output.write(ENTER);
    this.#drawNow();
  };

  readonly #drawNow = () => {
    this.#later?.();
    this.#later = undefined;
    this.#drawnAt = this.#clock.monotonic();
    const lines = this.#lines().map((line) => line + CLEAR_LINE);
    this.#output.write(HOME + lines.join("\r\n") + CLEAR_BELOW);
  };

  #lines(): string[] {
    const { columns: width, rows: height } = this.#output;
    const { home, colors } = this.#options;
    const listing = this.#options.listing();
    const lines =
      listing === undefined
        ? ["waiting for the publisher"]
        : listingLines(listing, { now: this.#clock.now(), home, width, colors });
    const room = Math.max(1, height - 1);
    const hidden = lines.length - room;
    const shown = hidden > 0 ? [...lines.slice(0, room - 1), `and ${hidden + 1} more`] : lines;
    return [this.#heading(width), ...shown];
  }

  #heading(width: number): string {
    const { colors } = this.#options;
    const standing = this.#standing;
    const text = standing === undefined ? "termtopic" : `termtopic: ${standingText(standing)}`;
    const shown = cut(clean(text), width);
    return standing === undefined || standing.state === "live"
      ? colors.dim(shown)
      : colors.yellow(shown);
  }
}
