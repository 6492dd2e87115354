import type { ProcessTable } from "../processes/types.ts";
import { displayText } from "../sources/text.ts";
import type { Clock } from "../time/clock.ts";
import type { RecordedOutput } from "./plain/recorded.ts";
import type { Pty, PtyEvents, PtyExit, PtyOptions } from "./pty/pty.ts";
import type { TreeRoot } from "./pty/tree.ts";
import { Ring } from "./ring.ts";
import type { Screen } from "./screen/screen.ts";
import { Signal } from "./signal.ts";
import { type Modes, Scanner } from "./vt/scanner.ts";
import { SharedTexts } from "./waits/shared-texts.ts";
import type { OutputSource } from "./waits/source.ts";

/** How a terminal stands.
 *
 * - `running`: its program runs.
 * - `exited`: that has ended, and all that it wrote is there. It stays until it is closed.
 * - `closed`: it is gone. */
export type TerminalState = "running" | "exited" | "closed";

/** How much a screen may have to parse before reading stops, and how little before it goes on, in bytes. Reading stops
 * for nobody else: no viewer holds a program up. */
const PAUSE_BYTES = 256 * 1024;
const RESUME_BYTES = 64 * 1024;

/** How often a screen that is behind is looked at, in milliseconds. */
const PARSED_LOOK_MS = 2;

/** How much output is kept, in bytes. */
export const HISTORY_BYTES = 1024 * 1024;

/** What a terminal is opened with. */
export interface TerminalOptions {
  /** Never given out twice in the life of a host. */
  readonly id: string;
  readonly sessionId: string;
  /** Its number in the session. */
  readonly index: number;
  readonly name?: string;
  /** Whether an agent opened it. */
  readonly isAgents: boolean;
  readonly command: readonly [file: string, ...args: string[]];
  readonly cwd: string;
  /** The name of the environment; `null` for the host's own. */
  readonly environmentName: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
}

/** What terminals are made of. */
export interface TerminalParts {
  readonly clock: Clock;
  readonly table: ProcessTable;
  spawn(options: PtyOptions, events: PtyEvents): Pty;
  openScreen(options: { cols: number; rows: number; answer(bytes: Uint8Array): void }): Screen;
}

/** One terminal: a program on a pseudo-terminal, what it wrote, and its screen. */
export class Terminal {
  readonly options: TerminalOptions;
  readonly createdAt: number;
  readonly ring = new Ring(HISTORY_BYTES);
  readonly screen: Screen;
  /** Its output as readers of text and as waits see it. */
  readonly recorded: RecordedOutput;
  readonly source: OutputSource;
  /** Output came, or all of it is there, or there will be none any more. */
  readonly output = new Signal();
  /** What is said of it differs. */
  readonly changed = new Signal();
  readonly #clock: Clock;
  readonly #scanner: Scanner;
  readonly #pty: Pty;
  readonly #root: TreeRoot | undefined;
  #state: TerminalState = "running";
  #name: string | undefined;
  #title = "";
  #size: { readonly cols: number; readonly rows: number };
  #exit: PtyExit | undefined;
  #modes: Modes | undefined;
  #isAlternate = false;
  #bell = false;
  #activityAt: number | undefined;
  #isPaused = false;

  /** Throws where the program cannot be started. */
  constructor(options: TerminalOptions, parts: TerminalParts) {
    const { clock, spawn, openScreen } = parts;
    const { command, cwd, environment: env, cols, rows } = options;
    const [file, ...args] = command;
    this.options = options;
    this.createdAt = clock.now();
    this.#clock = clock;
    this.#name = options.name;
    this.#size = { cols, rows };
    this.#scanner = new Scanner({
      title: (text) => {
        this.#title = displayText(text) ?? "";
        this.changed.emit();
      },
      bell: () => {
        this.#bell = true;
        this.changed.emit();
      },
      alternate: (isOn) => {
        this.#isAlternate = isOn;
      },
      modes: (modes) => {
        this.#modes = modes;
      },
      // The screen is fed everything, so it answers.
      query() {},
    });
    this.recorded = recordedOutput(this.ring, this.#scanner, () => this.#size.cols);
    this.source = outputSource(this, new SharedTexts(this.recorded));
    this.#pty = spawn(
      { file, args, cwd, env, cols, rows, clock },
      { data: (bytes) => this.#take(bytes), exit: (exit) => this.#end(exit) },
    );
    const startTick = parts.table.read(this.#pty.pid)?.startTick;
    const { pid, tty } = this.#pty;
    this.#root = startTick === undefined ? undefined : { pid, startTick, tty };
    // Programs ask the terminal, and nobody but the screen answers.
    this.screen = openScreen({ cols, rows, answer: (bytes) => void this.write(bytes) });
  }

  get state(): TerminalState {
    return this.#state;
  }

  /** Absent once it has ended. */
  get pid(): number | undefined {
    return this.#state === "running" ? this.#pty.pid : undefined;
  }

  /** The process that was started in it, told from whoever gets its number later. Absent where that had ended before it
   * could be looked at. */
  get root(): TreeRoot | undefined {
    return this.#root;
  }

  get tty(): string {
    return this.#pty.tty;
  }

  get name(): string | undefined {
    return this.#name;
  }

  get title(): string {
    return this.#title;
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return this.#size;
  }

  /** How its program ended. Absent while it runs. */
  get exit(): PtyExit | undefined {
    return this.#exit;
  }

  /** What its program has asked of keyboards and pointers. */
  get modes(): Modes | undefined {
    return this.#modes;
  }

  /** Whether a program uses the whole screen. */
  get isAlternate(): boolean {
    return this.#isAlternate;
  }

  /** Whether a bell rang since somebody looked. */
  get bell(): boolean {
    return this.#bell;
  }

  /** When it last wrote something, in epoch milliseconds. */
  get activityAt(): number | undefined {
    return this.#activityAt;
  }

  /** Types into it. Answers how many bytes were taken: fewer than given where its program does not read, none where
   * that has ended. */
  write(bytes: Uint8Array): number {
    return this.#state === "running" ? this.#pty.write(bytes) : 0;
  }

  /** Types an interrupt, before all that still waits. */
  interrupt(bytes: Uint8Array): void {
    if (this.#state === "running") this.#pty.interrupt(bytes);
  }

  resize(cols: number, rows: number): void {
    if (this.#state !== "running") return;
    if (cols === this.#size.cols && rows === this.#size.rows) return;
    this.#size = { cols, rows };
    this.#pty.resize(cols, rows);
    this.screen.resize(cols, rows);
    this.changed.emit();
  }

  rename(name: string | undefined): void {
    if (name === this.#name) return;
    this.#name = name;
    this.changed.emit();
  }

  /** Somebody looks at it. */
  seen(): void {
    if (!this.#bell) return;
    this.#bell = false;
    this.changed.emit();
  }

  /** Takes it away. Its program has ended by then. */
  close(): void {
    this.#state = "closed";
    this.screen.dispose();
    this.output.emit();
    this.changed.emit();
  }

  #take(bytes: Buffer): void {
    this.ring.append(bytes);
    this.#activityAt = this.#clock.now();
    this.#scanner.feed(bytes);
    this.screen.feed(bytes);
    this.output.emit();
    if (!this.#isPaused && this.screen.backlog > PAUSE_BYTES) this.#pause();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#pty.pause();
    const look = () => {
      if (this.#state !== "running") return;
      if (this.screen.backlog > RESUME_BYTES) {
        this.#clock.schedule(PARSED_LOOK_MS, look);
        return;
      }
      this.#isPaused = false;
      this.#pty.resume();
    };
    this.#clock.schedule(PARSED_LOOK_MS, look);
  }

  #end(exit: PtyExit): void {
    this.#exit = exit;
    this.#state = "exited";
    this.output.emit();
    this.changed.emit();
  }
}

function recordedOutput(ring: Ring, scanner: Scanner, cols: () => number): RecordedOutput {
  return {
    ring,
    scanner,
    get cols() {
      return cols();
    },
  };
}

function outputSource(terminal: Terminal, texts: SharedTexts): OutputSource {
  return {
    get end() {
      return terminal.ring.end;
    },
    get isEnded() {
      return terminal.state === "exited";
    },
    get isClosed() {
      return terminal.state === "closed";
    },
    onOutput: (listener) => terminal.output.on(listener),
    texts,
  };
}
