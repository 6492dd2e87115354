import type { Clock } from "../../time/clock.ts";
import { cursor } from "../monitors/cursor.ts";
import type { MonitorsFace, OpenMonitors } from "../monitors/monitors.ts";
import type { SavedMonitors } from "../monitors/saved.ts";
import { monotonicOf } from "../monitors/wall-time.ts";
import type { SandboxCommandLine } from "../sandbox/command-line.ts";
import { Signal } from "../signal.ts";
import type { Terminal } from "../terminal.ts";
import { lifecycleOf } from "./lifecycle.ts";
import type { SessionFacts } from "./messages.ts";
import { SeenTerminal } from "./seen-terminal.ts";

/** What a session was started with. */
export interface Launched {
  /** As the paths are without symbolic links. */
  readonly workspaceRoot: string;
  readonly cwd: string;
  readonly shell: string;
  readonly command: string | null;
  /** What keeps it in its sandbox. Absent: it runs free. */
  readonly sandbox?: SandboxCommandLine | undefined;
}

/** What results are told of a session, also once it is closed. */
export interface KnownSession {
  readonly id: string;
  readonly launched: Launched;
  readonly monitors: MonitorsFace;
  facts(): SessionFacts;
}

/** Where a session was that an earlier host has begun. */
export interface SavedSession {
  readonly readOffset: number;
  /** The end of the output: what comes up to there is no news. */
  readonly end: number;
  /** When that came, in epoch milliseconds. */
  readonly outputAt: number;
  /** Absent where they are not known. */
  readonly monitors?: SavedMonitors | undefined;
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
  /** It was read further. */
  readonly read = new Signal();
  #readOffset: number;
  /** When output came last, or it was started, on the monotonic clock. */
  #outputAt: number;
  readonly #seen: SeenTerminal;

  /** Throws where there cannot have been such monitors as were saved. */
  constructor(
    terminal: Terminal,
    launched: Launched,
    { clock, openMonitors }: SessionParts,
    saved?: SavedSession,
  ) {
    this.terminal = terminal;
    this.launched = launched;
    this.#seen = new SeenTerminal(terminal, launched.workspaceRoot);
    this.monitors = openMonitors(this.#seen, saved?.monitors);
    this.#readOffset = saved?.readOffset ?? 0;
    this.#outputAt = saved === undefined ? clock.monotonic() : monotonicOf(clock, saved.outputAt);
    let end = saved?.end ?? terminal.ring.end;
    terminal.output.on(() => {
      if (terminal.ring.end <= end) return;
      end = terminal.ring.end;
      this.#outputAt = clock.monotonic();
    });
  }

  get id(): string {
    return this.terminal.options.id;
  }

  get outputAt(): number {
    return this.#outputAt;
  }

  /** Up to where it has been read. The channel's own cursor is another. */
  get readOffset(): number {
    return this.#readOffset;
  }

  set readOffset(offset: number) {
    this.#readOffset = offset;
    this.read.emit();
  }

  /** What is known of it once its terminal is gone. */
  bury(): KnownSession {
    const { id, launched, monitors } = this;
    const facts = this.facts();
    this.#seen.forget();
    return { id, launched, monitors, facts: () => facts };
  }

  facts(): SessionFacts {
    const { state, ring, isDurable, isLost } = this.terminal;
    const { readOffset } = this;
    const isOpen = state !== "closed";
    const isRunning = state === "running";
    const isMissing = readOffset < ring.start;
    return {
      session_id: this.id,
      lifecycle: lifecycleOf(this.terminal),
      attention: { attention: "background", write_lease: "none" },
      backend: isDurable ? "tmux" : "native",
      persistence: isDurable ? "durable" : "process",
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
        // One whose end nobody knows takes none.
        monitor: isOpen && !isLost,
        inspect: isOpen,
        list: true,
        resize: isRunning,
        signal: isRunning,
        close: isOpen,
      },
    };
  }
}
