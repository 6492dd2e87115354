import type { ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import type { Pty, PtyEvents, PtyOptions } from "./pty/pty.ts";
import type { Screen } from "./screen/screen.ts";

/** How a terminal stands.
 *
 * - `running`: its program runs.
 * - `exited`: that has ended, and all that it wrote is there. It stays until it is closed.
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
  readonly cwd: string;
  /** The name of the environment; `null` for the host's own. */
  readonly environmentName: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  /** How much output is kept, in bytes. Default: 1 MiB. */
  readonly historyBytes?: number;
}

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
  spawn(options: PtyOptions, events: PtyEvents): Pty;
  openScreen(options: ScreenParts): Screen;
}
