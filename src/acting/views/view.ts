import type { TerminalInfo } from "../../contract/terminals.ts";
import type { ViewEvent, ViewTheme } from "../../contract/view.ts";
import type { ActingError } from "../failure.ts";

/** Who looks at a terminal. Nothing that is told to it throws. */
export interface Looker {
  /** Whether it types nothing, and has no say in the size. */
  readonly readOnly: boolean;
  /** `attached` comes first, before any output. */
  event(event: ViewEvent): void;
  /** The view sees to it that no more than VIEW_WINDOW_BYTES of it are on their way. */
  output(bytes: Uint8Array): void;
  /** The view is over: `undefined` where the terminal was closed. Once, and last. */
  over(why: ActingError | undefined): void;
}

/** A terminal that somebody looks at. What cannot be done is told as an `error` event. */
export interface View {
  /** Types bytes. The promise, where there is one, resolves once more is taken. */
  type(bytes: Uint8Array): Promise<void> | undefined;
  resize(cols: number, rows: number): void;
  /** So many bytes of output have been shown. */
  shown(bytes: number): void;
  theme(theme: ViewTheme): void;
  /** Ends the terminal; without `force` not while a job runs in it, which is told as `busy`. */
  close(force: boolean): void;
  /** Nobody looks any more. The terminal goes on, and nothing is told. */
  leave(): void;
}

/** Begins to look at a terminal, as it is stated now. Rejects with an `ActingError` where it cannot be looked at; `signal`
 * gives the attempt up. */
export type OpenView = (row: TerminalInfo, looker: Looker, signal: AbortSignal) => Promise<View>;
