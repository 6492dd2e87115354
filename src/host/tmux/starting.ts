import { KEEPER_ARGUMENT } from "../../inventory/keeper.ts";
import { SCROLLBACK_LINES } from "../screen/limits.ts";
import { FOLDER_VARIABLE } from "./environment.ts";
import { KEEPER_FILE } from "./keeper.ts";
import { LOGS } from "./places.ts";
import { STATE_FORMAT, sessionTarget } from "./state.ts";
import { writerCommand } from "./writer.ts";

/** What holds for the whole server, set anew with each session: of tmux's own behaviour nothing is left that a program or
 * a person who attaches could trip over, and nobody's configuration is read. */
const OPTIONS: readonly (readonly string[])[] = [
  ["-s", "escape-time", "0"],
  // A program could put what it likes into the buffers that input passes through.
  ["-s", "set-clipboard", "off"],
  ["-g", "default-terminal", "xterm-256color"],
  ["-g", "default-shell", "/bin/sh"],
  ["-g", "default-command", ""],
  ["-g", "update-environment", ""],
  ["-g", "status", "off"],
  ["-g", "history-limit", String(SCROLLBACK_LINES)],
  ["-g", "destroy-unattached", "off"],
  ["-g", "allow-rename", "off"],
  ["-g", "automatic-rename", "off"],
  ["-g", "monitor-bell", "off"],
  ["-g", "remain-on-exit", "on"],
  // Else tmux writes on the last screen of a program that it has ended.
  ["-g", "remain-on-exit-format", ""],
];

/** When a program has ended and all its output has been passed on, tmux writes down how. */
const ENDED = `run-shell -b 'umask 077; echo "#{pane_dead_status}:#{pane_dead_signal}" >"$${FOLDER_VARIABLE}/${LOGS}/#{session_name}/exit"'`;

/** All in one list of commands: tmux reads nothing of the program before it keeps what it reads. */
export function startCommands(
  id: string,
  { cols, rows, historyBytes }: { cols: number; rows: number; historyBytes: number },
): string[] {
  const target = sessionTarget(id);
  const start = `exec sh "$${FOLDER_VARIABLE}/${KEEPER_FILE}" "$0" ${KEEPER_ARGUMENT}`;
  return listed([
    ...OPTIONS.map((option) => ["set-option", "-q", ...option]),
    ["set-hook", "-g", "pane-died", ENDED],
    [
      ...["new-session", "-d", "-s", id, "-x", String(cols), "-y", String(rows), "-c", "/"],
      ...["sh", "-c", start, id],
    ],
    // tmux 3.3 crashes where all windows are to be so before there is one.
    ["set-option", "-w", "-t", target, "window-size", "manual"],
    ["pipe-pane", "-O", "-t", target, writerCommand(id, historyBytes)],
    ["display-message", "-p", "-t", target, STATE_FORMAT],
  ]);
}

const listed = (commands: readonly (readonly string[])[]): string[] =>
  commands.flatMap((command, index) => (index === 0 ? command : [";", ...command]));
