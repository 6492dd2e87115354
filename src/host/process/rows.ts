import { ACTIVITY_STEP_MS, TerminalInfo } from "../../contract/terminals.ts";
import { isValid } from "../../contract/validation.ts";
import type { ProcessTable } from "../../processes/types.ts";
import { defined } from "../../sources/optional.ts";
import { boundedCommand, boundedPath, displayText } from "../../sources/text.ts";

/** What the topic says of a terminal is made of this. */
export interface ListedTerminal {
  readonly options: {
    readonly id: string;
    readonly command: readonly string[];
    readonly cwd: string;
    readonly isWhileViewed?: boolean;
  };
  readonly createdAt: number;
  /** `exited` where its program has ended and all output of it is there. */
  readonly state: string;
  readonly pid: number | undefined;
  readonly tty: string;
  readonly name: string | undefined;
  readonly title: string;
  readonly size: { readonly cols: number; readonly rows: number };
  readonly exit: { readonly code?: number; readonly signal?: string } | undefined;
  readonly viewers?: number;
  readonly bell: boolean;
  readonly activityAt: number | undefined;
}

const isListed = ({ state, options }: ListedTerminal) =>
  state !== "closed" && options.isWhileViewed !== true;

/** Makes rows of a host's terminals. What is read of a process is read once. */
export class HostRows {
  readonly #instance: string;
  readonly #table: ProcessTable;
  readonly #ticks = new Map<string, { readonly pid: number; readonly tick: string | undefined }>();

  constructor(instance: string, table: ProcessTable) {
    this.#instance = instance;
    this.#table = table;
  }

  make(terminals: readonly ListedTerminal[]): TerminalInfo[] {
    const ids = new Set(terminals.map(({ options }) => options.id));
    for (const id of this.#ticks.keys()) if (!ids.has(id)) this.#ticks.delete(id);
    return terminals.filter(isListed).map((one) => this.#row(one));
  }

  #row(terminal: ListedTerminal): TerminalInfo {
    const { options, size, exit, activityAt, viewers, bell } = terminal;
    const isDead = terminal.state === "exited";
    const row: TerminalInfo = {
      instance: this.#instance,
      id: `pty:${encodeURIComponent(options.id)}`,
      state: isDead ? "dead" : "running",
      command: boundedCommand(options.command),
    };
    const known: Partial<TerminalInfo> = defined({
      cwd: boundedPath(options.cwd),
      ...(isDead ? {} : this.#process(terminal)),
      tty: terminal.tty,
      name: displayText(terminal.name),
      title: displayText(terminal.title),
      cols: size.cols,
      rows: size.rows,
      viewers,
      bell,
      activity_at:
        activityAt === undefined ? undefined : activityAt - (activityAt % ACTIVITY_STEP_MS),
      exit_code: exit?.code,
      exit_signal: exit?.signal,
    });
    // A field that would make readers refuse the frame is worth less than the row.
    const fields = Object.keys(known) as (keyof typeof known)[];
    for (const field of fields) {
      if (!isValid(TerminalInfo.properties[field], known[field])) delete known[field];
    }
    return { ...row, ...known };
  }

  #process({ options: { id }, pid, createdAt }: ListedTerminal): Partial<TerminalInfo> {
    if (pid === undefined) return {};
    const held = this.#ticks.get(id);
    const one = held?.pid === pid ? held : { pid, tick: this.#table.read(pid)?.startTick };
    // One that could not be read may have ended, or there was no descriptor left.
    if (one.tick !== undefined) this.#ticks.set(id, one);
    return defined({ pid, start_tick: one.tick, started_at: createdAt });
  }
}
