import type { ProcessTable } from "../processes/types.ts";
import type { Clock } from "../time/clock.ts";
import { KeyMemory } from "./channel/keys-memory.ts";
import type { TerminalInfo, TerminalTheme } from "./channel/messages.ts";
import { Turns } from "./channel/turns.ts";
import { ReadCursors } from "./cursors.ts";
import { closeTerminal } from "./ending.ts";
import { namedEnvironment } from "./environments.ts";
import { foregroundOf } from "./foreground.ts";
import { infoOf } from "./info.ts";
import { requireDirectory, userShell } from "./programs.ts";
import { shellEnvironment } from "./pty/environment.ts";
import { targetIn } from "./target.ts";
import type { Terminal, TerminalParts } from "./terminal.ts";
import { Terminals } from "./terminals.ts";
import { PatternThread } from "./waits/pattern-thread.ts";
import type { WaitParts } from "./waits/wait.ts";

export interface HostOptions extends TerminalParts {
  readonly clock: Clock;
  readonly table: ProcessTable;
  /** Which build this is. */
  readonly version: string;
  /** The folder of the environments that people have written down. */
  readonly environments: string;
  /** What terminals get their variables from. */
  readonly baseEnvironment: Readonly<Record<string, string | undefined>>;
  /** The colours that programs are told when they ask. */
  setTheme(theme: TerminalTheme): void;
}

/** What a terminal is asked for with. */
export interface OpenRequest {
  readonly sessionId: string;
  readonly cwd: string;
  readonly environmentName: string | null;
  readonly isAgents: boolean;
  readonly name?: string;
  /** Runs in place of a shell. */
  readonly exec?: readonly string[];
  readonly cols: number;
  readonly rows: number;
}

/** The terminals of this host and what can be done with them, whichever dialect asks. */
export class Host {
  readonly clock: Clock;
  readonly version: string;
  readonly terminals: Terminals;
  readonly keys = new KeyMemory();
  readonly cursors = new ReadCursors();
  /** What waits work with. */
  readonly waiting: WaitParts;
  readonly turns: Turns;
  readonly #options: HostOptions;

  constructor(options: HostOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.version = options.version;
    this.waiting = { clock: this.clock, patterns: new PatternThread(this.clock) };
    this.terminals = new Terminals(options);
    this.turns = new Turns(() => this.clock.monotonic());
  }

  /** Rejects with words for people where it cannot be opened. */
  async open(request: OpenRequest): Promise<Terminal> {
    const { sessionId, cwd, environmentName, isAgents, name, exec, cols, rows } = request;
    const { environments, baseEnvironment, version } = this.#options;
    requireDirectory(cwd);
    const named =
      environmentName === null ? {} : await namedEnvironment(environments, environmentName);
    const environment = shellEnvironment({ base: baseEnvironment, named, version });
    const [file, ...args] = exec ?? [userShell(environment)];
    return this.terminals.open({
      sessionId,
      isAgents,
      ...(name === undefined || name === "" ? {} : { name }),
      command: [file ?? "", ...args],
      cwd,
      environmentName,
      environment,
      cols,
      rows,
    });
  }

  close(terminal: Terminal): Promise<void> {
    const { clock, table } = this.#options;
    return closeTerminal(terminal, { clock, table, terminals: this.terminals });
  }

  /** Ends and takes away all of them. */
  async closeAll(): Promise<void> {
    await Promise.all(this.terminals.all.map((terminal) => this.close(terminal)));
  }

  info(terminal: Terminal): TerminalInfo {
    return infoOf(terminal, this.#options.table);
  }

  infos(sessionId: string): TerminalInfo[] {
    return this.terminals.in(sessionId).map((terminal) => this.info(terminal));
  }

  windows(sessionId: string): { terminal: TerminalInfo; foreground?: string }[] {
    return this.terminals.in(sessionId).map((terminal) => {
      const foreground = this.foreground(terminal);
      const info = this.info(terminal);
      return foreground === undefined ? { terminal: info } : { terminal: info, foreground };
    });
  }

  /** The program of the job in front, where that is another than the terminal's own. */
  foreground(terminal: Terminal): string | undefined {
    return terminal.pid === undefined ? undefined : foregroundOf(terminal.pid, this.#options.table);
  }

  targetIn(sessionId: string, target: string): Terminal {
    return targetIn(this.terminals.in(sessionId), target);
  }

  /** Sends a signal to the job in front of a terminal. */
  signal(terminal: Terminal, signal: NodeJS.Signals): void {
    const { table } = this.#options;
    const root = terminal.pid === undefined ? undefined : table.read(terminal.pid);
    if (root === undefined) return;
    const group = root.foregroundGroup > 0 ? root.foregroundGroup : root.group;
    // A job may have ended since it was looked at.
    try {
      process.kill(-group, signal);
    } catch {}
  }

  setTheme(theme: TerminalTheme): void {
    this.#options.setTheme(theme);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.clock.schedule(ms, resolve));
  }
}
