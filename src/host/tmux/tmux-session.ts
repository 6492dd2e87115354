import type { Launch } from "../pty/launch.ts";
import type { Pty, PtyEvents } from "../pty/pty.ts";
import type { Screen } from "../screen/screen.ts";

/** What a session is started with. */
export interface TmuxLaunch extends Launch {
  /** How much of its output is kept at least, in bytes. */
  readonly historyBytes: number;
}

export interface TmuxEvents extends PtyEvents {
  /** So many bytes of output, from here on, were dropped before they could be given: this host was behind by more than is
   * kept. */
  missed?(bytes: number): void;
}

/** The program of a session as a terminal has it. Where the session is gone, `exit` is told with `isLost`. */
export interface TmuxPty extends Pty {
  /** Lets go of it: nothing is told any more, and it lives on. */
  release(): void;
  /** Ends its program if that runs, and takes the session and its output away. Rejects where it is not known whether the
   * server did so. */
  remove(): Promise<void>;
}

/** A program in a session of the host's own tmux server. */
export interface TmuxSession {
  readonly id: string;
  readonly size: { readonly cols: number; readonly rows: number };
  readonly pid: number;
  readonly tty: string;
  /** Where the output that is still kept begins, in bytes since the session began. */
  readonly start: number;
  /** Gives all output that is kept, from `start` on, then what follows, then the end. To be called once. */
  connect(events: TmuxEvents): TmuxPty;
  /** What the session shows as its tmux server sees it, for `capture` and `cells`. Everything else is the model's. */
  screen(model: Screen, temporary: (cols: number, rows: number) => Screen): Screen;
}
