import type { ProcessTable } from "../processes/types.ts";
import type { TerminalInfo } from "./channel/messages.ts";
import type { PtyExit } from "./pty/pty.ts";
import { rootProcess, unlessOut } from "./root-process.ts";
import type { Terminal } from "./terminal.ts";

/** What the channel says of a terminal. */
export function infoOf(terminal: Terminal, table: ProcessTable): TerminalInfo {
  const { id, sessionId, index, isAgents, cwd, environmentName } = terminal.options;
  const { name, title, size, exit } = terminal;
  return {
    id,
    sessionId,
    index,
    ...(name === undefined ? {} : { name }),
    ...(isAgents ? { agent: true as const } : {}),
    cwd: cwdOf(terminal, table) ?? cwd,
    env: environmentName,
    title,
    createdAt: terminal.createdAt,
    ...size,
    ...(exit === undefined ? {} : { exited: exitOf(exit) }),
  };
}

/** Where its program is now. Before it has written anything it may not run yet: what was forked for it is where the host
 * is. */
function cwdOf(terminal: Terminal, table: ProcessTable): string | undefined {
  if (terminal.ring.end === 0) return undefined;
  const root = rootProcess(terminal, table);
  const cwd = root && unlessOut(() => table.cwd(root.pid));
  return cwd === undefined || cwd.deleted ? undefined : cwd.path;
}

function exitOf({ code, signal, drained, isLost }: PtyExit) {
  const errors = [
    ...(isLost === true ? ["its session in tmux is gone"] : []),
    ...(signal === undefined ? [] : [`ended by ${signal}`]),
    ...(drained ? [] : ["its last output may be missing"]),
  ];
  return {
    ...(code === undefined ? {} : { code }),
    ...(errors.length === 0 ? {} : { error: errors.join("; ") }),
  };
}
