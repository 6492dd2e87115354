import type { Clock } from "../../time/clock.ts";
import { cursor } from "../monitors/cursor.ts";
import type { MonitorsFace, OpenMonitors } from "../monitors/monitors.ts";
import type { Terminal } from "../terminal.ts";
import type { SessionFacts } from "./messages.ts";
import { SeenTerminal } from "./seen-terminal.ts";

/** What a session was started with. */
export interface Launched {
  /** As the paths are without symbolic links. */
  readonly workspaceRoot: string;
  readonly cwd: string;
  readonly shell: string;
  readonly command: string | null;
}

/** What results are told of a session, also once it is closed. */
export interface KnownSession {
  readonly id: string;
  readonly launched: Launched;
  readonly monitors: MonitorsFace;
  facts(): SessionFacts;
}

export interface SessionParts {
  readonly clock: Clock;
  readonly openMonitors: OpenMonitors;
}

/** One supervised terminal. */
export class Session implements KnownSession {
  readonly launched: Launched;
  readonly terminal: Terminal;
  readonly monitors: MonitorsFace;
  /** Up to where it has been read. The channel's own cursor is another. */
  readOffset = 0;
  /** When output came last, or it was started, on the monotonic clock. */
  #outputAt: number;
  readonly #seen: SeenTerminal;

  constructor(terminal: Terminal, launched: Launched, { clock, openMonitors }: SessionParts) {
    this.terminal = terminal;
    this.launched = launched;
    this.#outputAt = clock.monotonic();
    let { end } = terminal.ring;
    terminal.output.on(() => {
      if (terminal.ring.end === end) return;
      end = terminal.ring.end;
      this.#outputAt = clock.monotonic();
    });
    this.#seen = new SeenTerminal(terminal, launched.workspaceRoot);
    this.monitors = openMonitors(this.#seen);
  }

  get id(): string {
    return this.terminal.options.id;
  }

  get outputAt(): number {
    return this.#outputAt;
  }

  /** What is known of it once its terminal is gone. */
  bury(): KnownSession {
    const { id, launched, monitors } = this;
    const facts = this.facts();
    this.#seen.forget();
    return { id, launched, monitors, facts: () => facts };
  }

  facts(): SessionFacts {
    const { state, ring } = this.terminal;
    const { readOffset } = this;
    const isOpen = state !== "closed";
    const isRunning = state === "running";
    const isMissing = readOffset < ring.start;
    return {
      session_id: this.id,
      lifecycle: state,
      attention: { attention: "background", write_lease: "none" },
      backend: "native",
      persistence: "process",
      output_cursor: cursor(ring.end),
      unread_range:
        readOffset < ring.end ? { start: cursor(readOffset), end: cursor(ring.end) } : null,
      raw_gap: isMissing
        ? { missing_from: cursor(readOffset), available_from: cursor(ring.start) }
        : null,
      screen_recovery: { unavailable: "missing" },
      active_monitor_count: isOpen ? this.monitors.activeCount : 0,
      next_actions: {
        read: isOpen,
        screen: isOpen,
        write: isRunning,
        wait: isOpen,
        monitor: isOpen,
        inspect: isOpen,
        list: true,
        resize: isRunning,
        signal: isRunning,
        close: isOpen,
      },
    };
  }
}
