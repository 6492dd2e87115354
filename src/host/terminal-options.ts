import type { ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import type { Pty, PtyEvents, PtyOptions } from "./pty/pty.ts";
import type { TreeRoot } from "./pty/tree.ts";
import type { SandboxCommandLine } from "./sandbox/command-line.ts";
import type { Screen } from "./screen/screen.ts";

/** How a terminal stands.
 *
 * - `running`: its program runs.
 * - `exited`: that has ended, or is lost, and all that it wrote is there. It stays until it is closed.
 * - `closed`: it is gone. */
export type TerminalState = "running" | "exited" | "closed";

/** What a terminal is opened with. */
export interface TerminalOptions {
  /** Never given out twice in the life of a host. */
  readonly id: string;
  readonly sessionId: string;
  /** Its number in the session. */
  readonly index: number;
  readonly name?: string;
  /** Whether an agent opened it. */
  readonly isAgents: boolean;
  readonly command: readonly [file: string, ...args: string[]];
  /** The command line of the sandbox that it runs in, which `command` follows. Absent: it runs free. */
  readonly sandbox?: SandboxCommandLine | undefined;
  readonly cwd: string;
  /** The name of the environment; `null` for the host's own. */
  readonly environmentName: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  /** How much output is kept, in bytes. Default: 1 MiB. */
  readonly historyBytes?: number;
  /** Whether it is there for those who look at it alone: it is listed to nobody else. */
  readonly isWhileViewed?: boolean;
  /** Of one that an earlier host has begun. */
  readonly adopted?: Adopted;
}

/** What is known of a terminal that an earlier host has begun. */
export interface Adopted {
  /** In epoch milliseconds. */
  readonly createdAt: number;
  /** Its program's process, as it was when that began: the number may be somebody else's by now. */
  readonly root: TreeRoot;
  /** What puts a new terminal into the state that this one was in, for whoever does not get all of its output. */
  readonly primer?: string | undefined;
  /** Where its output ended when that was last looked at. Default: nobody knows. */
  readonly end?: number | undefined;
}

/** Of a terminal all of whose output is there. */
export const FROM_BEGINNING = { start: 0, primer: new Uint8Array(0) };

/** What outlives this process beside a terminal. */
export interface Outliving {
  /** Lets go of it: nothing is told any more, and it lives on. */
  release(): void;
  /** Takes it away with its output. Rejects where that is not known to be done. */
  remove(): Promise<void>;
}

export interface TerminalEvents extends PtyEvents {
  /** So many bytes of output, from here on, can be had no longer. */
  missed(bytes: number): void;
}

/** A program on its terminal. */
export type TerminalPty = Pty & Partial<Outliving>;

/** What a terminal's screen is made with. */
export interface ScreenParts {
  readonly cols: number;
  readonly rows: number;
  /** Types what the program asked for. */
  answer(bytes: Uint8Array): void;
  /** The output that is still kept. */
  replay(): Uint8Array<ArrayBuffer>;
  /** Somebody read it. */
  used(): void;
}

/** What terminals are made of. */
export interface TerminalParts {
  readonly clock: Clock;
  readonly table: ProcessTable;
  spawn(options: PtyOptions, events: TerminalEvents): TerminalPty;
  openScreen(options: ScreenParts): Screen;
}
