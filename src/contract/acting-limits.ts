/** The session of the host that a terminal is opened in where none is named: the one that `termtopic open` opens in. */
export const DEFAULT_SESSION = "cli";

/** The size of a terminal that is opened without one, in cells, as terminals have had it since the VT100. */
export const DEFAULT_COLS = 80;
export const DEFAULT_ROWS = 24;

/** How much text `text` and `screen` of a reply take at most, in bytes as they stand in its JSON: together with the rest
 * they fit into MAX_FRAME_BYTES. What is beyond is left out at the beginning. */
export const READ_TEXT_BYTES = 460_800;
export const CAPTURE_TEXT_BYTES = 921_600;

/** How long a `read` may wait, in milliseconds: a day. */
export const MAX_READ_WAIT_MS = 86_400_000;

/** The signals that may be sent. */
export const SIGNAL_NAMES = [
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGKILL",
  "SIGUSR1",
  "SIGUSR2",
  "SIGTERM",
  "SIGCONT",
  "SIGSTOP",
  "SIGTSTP",
] as const;
export type SignalName = (typeof SIGNAL_NAMES)[number];
