import type { Clock } from "../../time/clock.ts";
import type { Screen } from "../screen/screen.ts";
import type { Facts } from "./facts.ts";
import type { Pane } from "./pane.ts";
import type { SessionPlaces } from "./places.ts";
import { SessionPty } from "./tmux-pty.ts";
import { TmuxScreen } from "./tmux-screen.ts";
import type { TmuxEvents, TmuxPty, TmuxSession } from "./tmux-session.ts";

export interface SessionParts {
  readonly pane: Pane;
  readonly places: SessionPlaces;
  readonly facts: Facts;
  readonly clock: Clock;
  connected(pty: TmuxPty): void;
  released(pty: TmuxPty): void;
}

/** A session that is there, or was. */
export class Session implements TmuxSession {
  readonly id: string;
  readonly size: { readonly cols: number; readonly rows: number };
  readonly pid: number;
  readonly tty: string;
  readonly start: number;
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    const { pane, facts, places } = parts;
    this.#parts = parts;
    this.id = pane.id;
    this.pid = facts.pid;
    this.tty = facts.tty;
    this.size = { cols: facts.cols, rows: facts.rows };
    this.start = places.parts()[0] ?? 0;
  }

  connect(events: TmuxEvents): TmuxPty {
    const { connected, released, ...options } = this.#parts;
    const pty: TmuxPty = new SessionPty(
      { ...options, start: this.start, released: () => released(pty) },
      events,
    );
    connected(pty);
    return pty;
  }

  screen(model: Screen, temporary: (cols: number, rows: number) => Screen): Screen {
    return new TmuxScreen(this.#parts.pane, model, temporary);
  }
}
