import { signalName } from "../pty/pty.ts";
import type { TmuxClient } from "./client.ts";

/** A session as its server states it. */
export interface SessionState {
  /** Its server's process. */
  readonly server: number;
  /** `%` and the number of its pane. */
  readonly pane: string;
  /** The keeper of the program, which tmux has started. */
  readonly keeper: number;
  readonly tty: string;
  readonly cols: number;
  readonly rows: number;
  /** Whether its output is being kept. */
  readonly isKept: boolean;
  /** Whether the server has read all output of the program, which has ended. */
  readonly isDead: boolean;
  /** How the program ended, as far as tmux knows. Absent while it runs, and where tmux does not know. */
  readonly exit?: Exit;
}

/** tmux before 3.3 knows of no signals: an end without a code is by one, and nobody knows by which. */
export interface Exit {
  readonly code?: number;
  readonly signal?: string;
}

const FIELDS = [
  "session_name",
  "pane_id",
  "pid",
  "pane_pid",
  "pane_tty",
  "pane_width",
  "pane_height",
  "pane_pipe",
  "pane_dead",
  "pane_dead_status",
  "pane_dead_signal",
] as const;

export const STATE_FORMAT = FIELDS.map((field) => `#{${field}}`).join(":");

/** How tmux is told of a session by its whole name. */
export const sessionTarget = (id: string): string => `=${id}:`;

/** Asks for a session by the name, or by its pane. Absent where the server has no such session; rejects where there is no
 * server. */
export async function askState(
  client: TmuxClient,
  id: string,
  pane = sessionTarget(id),
): Promise<SessionState | undefined> {
  const said = await client.ask(["display-message", "-p", "-t", pane, STATE_FORMAT]);
  return stateOf(said.toString("utf8"), id);
}

/** tmux answers for what is not there as well, with nothing or with another. */
export function stateOf(said: string, id: string): SessionState | undefined {
  const [name, pane, server, keeper, tty, cols, rows, piped, dead, status, signal] = said
    .trim()
    .split(":");
  if (name !== id || pane === undefined || tty === undefined) return undefined;
  const exit = exitOf(status, signal);
  return {
    server: Number(server),
    pane,
    keeper: Number(keeper),
    tty,
    cols: Number(cols),
    rows: Number(rows),
    isKept: piped === "1",
    isDead: dead === "1",
    ...(exit === undefined ? {} : { exit }),
  };
}

/** The signal is a number, or its name without `SIG` where the system has such names. */
export function exitOf(status = "", signal = ""): Exit | undefined {
  if (signal !== "") {
    return { signal: /^\d+$/.test(signal) ? signalName(Number(signal)) : `SIG${signal}` };
  }
  return /^\d+$/.test(status) ? { code: Number(status) } : undefined;
}
