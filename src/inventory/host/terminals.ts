import type { TerminalInfo } from "../../contract/terminals.ts";
import type { ProcessTable } from "../../processes/types.ts";
import { defined } from "../../sources/optional.ts";
import type { ObservedTerminal } from "../terminal.ts";

/** More terminals than a host holds. What one states beyond is left out. */
const MAX_TERMINALS = 1_024;

/** The terminals that the rows of a host state. */
export class HostTerminals {
  readonly #table: ProcessTable;
  /** The process that each terminal had. */
  #roots = new Map<string, number>();

  constructor(table: ProcessTable) {
    this.#table = table;
  }

  of(rows: readonly TerminalInfo[]): ObservedTerminal[] {
    const own = rows.filter(({ id }) => id.startsWith("pty:")).slice(0, MAX_TERMINALS);
    const before = this.#roots;
    this.#roots = new Map();
    return own.map((row) => {
      const root = this.#rootOf(row);
      const last = root ?? before.get(row.id);
      if (last !== undefined) this.#roots.set(row.id, last);
      const isDead = row.state === "dead";
      return defined({
        id: row.id,
        state: row.state,
        rootPid: isDead ? undefined : root,
        endedPid: isDead ? last : undefined,
        tty: row.tty,
        command: row.command,
        cwd: row.cwd,
        name: row.name,
        title: row.title,
        cols: row.cols,
        rows: row.rows,
        viewers: row.viewers,
        bell: row.bell,
        activityAt: row.activity_at,
        exitCode: row.exit_code,
        exitSignal: row.exit_signal,
      });
    });
  }

  /** The process that the host started. One that began at another time only has its number. */
  #rootOf({ root_pid, pid, start_tick }: TerminalInfo): number | undefined {
    if (root_pid !== undefined || pid === undefined || start_tick === undefined) {
      return root_pid ?? pid;
    }
    try {
      const process = this.#table.read(pid);
      return process === undefined || process.startTick === start_tick ? pid : undefined;
    } catch {
      // There is nothing left to read with, which says nothing of the process.
      return pid;
    }
  }
}
