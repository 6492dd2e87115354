import type { Clock } from "../time/clock.ts";
import { Freezing } from "./freezing.ts";
import { Pressure, type Valve } from "./pressure.ts";
import type { Screen } from "./screen/screen.ts";

/** Keeps a terminal's screen from falling behind its output, and from costing much while nothing happens. */
export class ScreenCare {
  readonly #screen: Screen;
  readonly #freezing: Freezing;
  readonly #pressure: Pressure;

  constructor(screen: Screen, clock: Clock) {
    this.#screen = screen;
    this.#freezing = new Freezing(screen, clock);
    this.#pressure = new Pressure(screen, clock);
  }

  /** It was given output, which comes from here. */
  fed(valve: Valve): void {
    this.#pressure.look(valve);
    this.#freezing.look();
  }

  /** It was read, or given another size. */
  used(): void {
    this.#freezing.look();
  }

  /** There will be no output any more. */
  endOutput(): void {
    this.#pressure.end();
  }

  /** Nobody needs it any more. */
  dispose(): void {
    this.#pressure.end();
    this.#freezing.end();
    this.#screen.dispose();
  }
}
