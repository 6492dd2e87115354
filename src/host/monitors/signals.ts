import type { TerminalSignal } from "./definition.ts";

/** What the system calls the signals of the dialect. */
export const SIGNALS = {
  hangup: "SIGHUP",
  interrupt: "SIGINT",
  quit: "SIGQUIT",
  terminate: "SIGTERM",
  kill: "SIGKILL",
} as const satisfies Record<TerminalSignal, NodeJS.Signals>;
