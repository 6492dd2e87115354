import { errorCode, reasonOf } from "../files/reason.ts";
import type { Clock } from "../time/clock.ts";
import type { Begin, Begun } from "./begun.ts";
import { KeyMemory } from "./channel/keys-memory.ts";
import type { TerminalInfo, TerminalTheme } from "./channel/messages.ts";
import { Sends } from "./channel/sends.ts";
import { Turns } from "./channel/turns.ts";
import { ReadCursors } from "./cursors.ts";
import { Endings } from "./ending.ts";
import { namedEnvironment } from "./environments.ts";
import { HostError } from "./failure.ts";
import { foregroundOf } from "./foreground.ts";
import { infoOf } from "./info.ts";
import { requireDirectory, userShell } from "./programs.ts";
import { shellEnvironment } from "./pty/environment.ts";
import type { KillPolicy } from "./pty/kill-tree.ts";
import { signalTree } from "./pty/signal-tree.ts";
import { rootProcess, unlessOut } from "./root-process.ts";
import type { SandboxCommandLine } from "./sandbox/command-line.ts";
import { commandLineOf } from "./sandbox/command-line-of.ts";
import type { Screen } from "./screen/screen.ts";
import { DEFAULT_THEME, type Theme } from "./screen/theme.ts";
import { targetIn } from "./target.ts";
import { HISTORY_BYTES, type Terminal } from "./terminal.ts";
import type { TerminalLimits } from "./terminal-limits.ts";
import type { ScreenParts, TerminalOptions, TerminalParts } from "./terminal-options.ts";
import { Terminals } from "./terminals.ts";
import { PatternThread } from "./waits/pattern-thread.ts";
import type { WaitParts } from "./waits/wait.ts";

export interface HostOptions extends Omit<TerminalParts, "openScreen"> {
  /** Which build this is. */
  readonly version: string;
  /** The folder of the environments that people have written down. */
  readonly environments: string;
  readonly limits: TerminalLimits;
  /** What terminals get their variables from. */
  readonly baseEnvironment: Readonly<Record<string, string | undefined>>;
  /** `theme`: the colours that programs are told when they ask. */
  openScreen(options: ScreenParts & { readonly theme: Theme }): Screen;
}

/** What a terminal is asked for with. */
export interface OpenRequest {
  /** One that nobody has had. Default: a UUID. */
  readonly id?: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly environmentName: string | null;
  readonly isAgents: boolean;
  readonly name?: string;
  /** Runs in place of a shell. */
  readonly exec?: readonly string[];
  /** The command line of the sandbox that it runs in. Absent: it runs free. */
  readonly sandbox?: SandboxCommandLine | undefined;
  readonly cols: number;
  readonly rows: number;
  /** How much output is kept, in bytes. Default: 1 MiB. */
  readonly historyBytes?: number;
  /** Whether it is there for those who look at it alone, and nobody is told that it is. Default false. */
  readonly isWhileViewed?: boolean;
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
  readonly sends: Sends;
  readonly #options: HostOptions;
  readonly #endings: Endings;
  /** Within one turn of the event loop, however many ask. */
  readonly #infos = new Map<string, TerminalInfo[]>();
  #theme: Theme = DEFAULT_THEME;

  constructor(options: HostOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.version = options.version;
    this.waiting = { clock: this.clock, patterns: new PatternThread(this.clock) };
    const { openScreen, clock, table, limits } = options;
    const parts = {
      ...options,
      openScreen: (screen: ScreenParts) => openScreen({ ...screen, theme: this.#theme }),
    };
    this.terminals = new Terminals(parts, limits);
    this.terminals.changed.on(({ options: { sessionId } }) => this.#infos.delete(sessionId));
    this.#endings = new Endings({ clock, table, terminals: this.terminals });
    this.turns = new Turns(() => this.clock.monotonic());
    this.sends = new Sends((ms) => new Promise((resolve) => this.clock.schedule(ms, resolve)));
  }

  /** `begin` has somebody else keep the program. Rejects with words for people where it cannot be opened. */
  async open(request: OpenRequest, begin?: Begin): Promise<Terminal> {
    const { id, sessionId, cwd, environmentName, isAgents, name, exec } = request;
    const { cols, rows, historyBytes, sandbox, isWhileViewed } = request;
    const { environments, baseEnvironment, version } = this.#options;
    requireDirectory(cwd);
    const named =
      environmentName === null ? {} : await namedEnvironment(environments, environmentName);
    const environment = shellEnvironment({ base: baseEnvironment, named, version });
    const [program = "", ...rest] = exec ?? [userShell(environment)];
    const options = {
      ...(id === undefined ? {} : { id }),
      ...(historyBytes === undefined ? {} : { historyBytes }),
      sessionId,
      isAgents,
      ...(name === undefined || name === "" ? {} : { name }),
      command: [program, ...rest] as const,
      ...(sandbox === undefined ? {} : { sandbox }),
      ...(isWhileViewed === undefined ? {} : { isWhileViewed }),
      cwd,
      environmentName,
      environment,
      cols,
      rows,
    };
    if (begin === undefined) return this.terminals.open(options);
    this.terminals.requireRoom(sessionId);
    const [file, ...args] = commandLineOf(options);
    const launch = { file, args, cwd, env: environment, cols, rows };
    const begun = await begin({ ...launch, historyBytes: historyBytes ?? HISTORY_BYTES });
    try {
      return this.terminals.open(options, begun);
    } catch (error) {
      await begun.connect({ data() {}, exit() {} }).remove();
      throw error;
    }
  }

  /** Takes over a terminal that an earlier host has begun. Its variables are made anew, for they are written down nowhere. */
  adopt(options: Omit<TerminalOptions, "environment">, begun: Begun): Terminal {
    const { baseEnvironment: base, version } = this.#options;
    const environment = shellEnvironment({ base, named: {}, version });
    return this.terminals.adopt({ ...options, environment }, begun);
  }

  /** Ends whatever runs in it and takes it away. */
  close(terminal: Terminal, policy?: KillPolicy): Promise<void> {
    return this.#endings.close(terminal, policy);
  }

  /** Takes a terminal away once nobody looks at it any more, or if nobody does. */
  closeUnviewed(terminal: Terminal): void {
    const look = () => {
      if (terminal.viewers > 0 && terminal.state !== "closed") return;
      unlisten();
      if (terminal.state !== "closed") void this.close(terminal).catch(() => {});
    };
    const unlisten = terminal.changed.on(look);
    look();
  }

  /** Ends and takes away all of them but those that outlive this process: these it lets go of. */
  async closeAll(): Promise<void> {
    const { all } = this.terminals;
    for (const terminal of all) if (terminal.isDurable) terminal.release();
    const others = all.filter(({ isDurable }) => !isDurable);
    await Promise.all(others.map((terminal) => this.close(terminal)));
  }

  info(terminal: Terminal): TerminalInfo {
    return infoOf(terminal, this.#options.table);
  }

  infos(sessionId: string): TerminalInfo[] {
    const known = this.#infos.get(sessionId);
    if (known !== undefined) return known;
    const infos = this.terminals.in(sessionId).map((terminal) => this.info(terminal));
    if (this.#infos.size === 0) setImmediate(() => this.#infos.clear());
    this.#infos.set(sessionId, infos);
    return infos;
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
    const { table } = this.#options;
    const root = rootProcess(terminal, table);
    return root && unlessOut(() => foregroundOf(root, table));
  }

  targetIn(sessionId: string, target: string): Terminal {
    return targetIn(this.terminals.in(sessionId), target);
  }

  /** Sends a signal to the job in front of a terminal. */
  signal(terminal: Terminal, signal: NodeJS.Signals): void {
    const root = rootProcess(terminal, this.#options.table);
    if (root === undefined) {
      throw new HostError(
        "ended",
        "the program in the terminal has ended: there is nothing to signal",
      );
    }
    const group = root.foregroundGroup > 0 ? root.foregroundGroup : root.group;
    if (signal === "SIGHUP" && this.#keepsSandboxIn(group, terminal)) {
      // It would end everything at once.
      void this.signalTree(terminal, signal).catch(() => {});
      return;
    }
    try {
      process.kill(-group, signal);
    } catch (error) {
      // A job may have ended since it was looked at.
      if (errorCode(error) === "ESRCH") return;
      const why = reasonOf(error);
      throw new HostError("refused", `${signal} could not be sent to the job in front: ${why}`);
    }
  }

  /** Whether what keeps a terminal's sandbox is in the group as well. */
  #keepsSandboxIn(group: number, { root }: Terminal): boolean {
    return root.isSandbox === true && this.#options.table.read(root.pid)?.group === group;
  }

  /** Sends a signal to everything that runs in a terminal. */
  signalTree(terminal: Terminal, signal: NodeJS.Signals): Promise<void> {
    return signalTree(terminal.root, { table: this.#options.table, clock: this.clock }, signal);
  }

  setTheme({ foreground, background, scheme }: TerminalTheme): void {
    this.#theme = { foreground, background, scheme };
    for (const { screen } of this.terminals.all) screen.setTheme(this.#theme);
  }
}
