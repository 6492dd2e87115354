import type { TerminalInfo as TerminalRow } from "../contract/terminals.ts";
import type { TerminalInfo, TerminalSignal, TerminalWait } from "../host/channel/messages.ts";

/** A terminal as somebody saw it in a list. What is done is done to this one, or to none. */
export type SeenTerminal = Pick<
  TerminalRow,
  "id" | "state" | "pid" | "root_pid" | "start_tick" | "tty"
>;

export interface SendInput {
  /** Names of keys as tmux has them are keys; all else is typed as it stands, nothing in between. */
  readonly keys: readonly string[];
  /** Whether everything is text. Default false. */
  readonly literal?: boolean;
  /** Whether the keys are one text to be pasted, and Enter pressed once the program has taken it in. Default false. */
  readonly submit?: boolean;
  /** Names what is sent, where its manager remembers that: sent again it is not typed again. Only our own host does. */
  readonly key?: string;
}

export interface ReadInput {
  /** An offset of the output in bytes. Absent: where the last read ended. */
  readonly from?: number;
  readonly wait?: TerminalWait;
  /** Whether the next read begins where this one does. Default false. */
  readonly peek?: boolean;
}

export interface CaptureInput {
  /** Lines before the screen. Default 0. */
  readonly scrollback?: number;
  /** Whether colours and the like are in the text, as escape sequences. Default false. */
  readonly escapes?: boolean;
  /** Whether rows that the width broke become one line. Default false. */
  readonly joinWrapped?: boolean;
}

/** What became of something that was done. */
export interface Acted {
  /** The terminal as its manager states it. Only our own host does. */
  readonly terminal?: TerminalInfo;
}

/** What a read gives. What is absent is not known of terminals of that scheme. */
export interface ReadText extends Acted {
  readonly text: string;
  /** What the screen shows, where a program uses the whole of it. */
  readonly screen?: string;
  /** The output that was read, in bytes since the terminal's beginning. */
  readonly from?: number;
  readonly to?: number;
  /** Bytes before the text that are no longer kept, and characters of it that were left out. */
  readonly skipped?: number;
  readonly truncated?: number;
  /** Why the wait ended. */
  readonly waited?: TerminalWait["until"] | "timeout" | "closed";
  /** The program in front of the shell. */
  readonly foreground?: string;
}

export interface CapturedText extends Acted {
  readonly text: string;
}

/** What can be done with one listed terminal, whichever scheme it is of. All reject with an `ActingError`; where the
 * scheme cannot do it, one that says in words how the terminal is reached instead. */
export interface ActingTerminal {
  /** Types keys and text. */
  send(input: SendInput): Promise<Acted>;
  /** Its output as plain text since the last read; of a scheme that keeps none, what the screen shows. `signal` gives up
   * the wait. */
  read(input: ReadInput, signal?: AbortSignal): Promise<ReadText>;
  /** What it shows, as text. */
  capture(input: CaptureInput): Promise<CapturedText>;
  resize(cols: number, rows: number): Promise<Acted>;
  /** Sends a signal to the job in front. */
  signal(signal: TerminalSignal): Promise<Acted>;
  /** Ends what runs in it and takes it away. Not while a job is in front of its shell, unless with `force`: that is
   * `busy`, with its program. */
  close(options: { readonly force?: boolean }): Promise<Acted>;
  /** An empty name takes the name away. */
  rename(name: string): Promise<Acted>;
}

export type Verb = keyof ActingTerminal;
