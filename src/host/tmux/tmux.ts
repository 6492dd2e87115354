import type { Clock } from "../../time/clock.ts";
import type { Launch } from "../pty/launch.ts";
import type { Pty, PtyEvents } from "../pty/pty.ts";
import type { Screen } from "../screen/screen.ts";

/** tmux cannot be used here; the message says in words for people why, and what to do. */
export class TmuxUnavailable extends Error {
  override readonly name = "TmuxUnavailable";
}

export interface TmuxOptions {
  /** The folder of the host's tmux server, closed to others: its socket, its configuration and the output of its
   * sessions are in it. */
  readonly folder: string;
  readonly clock: Clock;
}

/** What a session is started with. */
export interface TmuxLaunch extends Launch {
  /** How much of its output is kept at least, in bytes. */
  readonly historyBytes: number;
}

/** The program of a session as a terminal has it. Where the session is gone, `exit` is told with `isLost`. */
export interface TmuxPty extends Pty {
  /** Lets go of it: nothing is told any more, and it lives on. */
  release(): void;
  /** Ends its program if that runs, and takes the session and its output away. */
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
  connect(events: PtyEvents): TmuxPty;
  /** What the session shows as its tmux server sees it, for `capture` and `cells`. Everything else is the model's. */
  screen(model: Screen, temporary: (cols: number, rows: number) => Screen): Screen;
}

/** The tmux server of a host, which outlives that. */
export class TmuxServer {
  /** Looks whether tmux is there and new enough. Starts nothing. Rejects with `TmuxUnavailable`. */
  static find(_options: TmuxOptions): Promise<TmuxServer> {
    return Promise.reject(new TmuxUnavailable("tmux cannot be used yet"));
  }

  /** Starts a program in a session of its own; resolves once it runs. Its output is kept from the first byte. */
  start(_id: string, _launch: TmuxLaunch): Promise<TmuxSession> {
    return Promise.reject(new TmuxUnavailable("tmux cannot be used yet"));
  }

  /** The ids of all sessions, also of those whose program has ended and of those that are gone but for their output. */
  list(): Promise<string[]> {
    return Promise.reject(new TmuxUnavailable("tmux cannot be used yet"));
  }

  /** Takes over a session that an earlier host started. */
  adopt(_id: string): Promise<TmuxSession> {
    return Promise.reject(new TmuxUnavailable("tmux cannot be used yet"));
  }

  /** Ends this host's part: its watches and readers. Sessions live on. */
  release(): void {}
}
