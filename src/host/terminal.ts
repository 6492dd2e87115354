import { ACTIVITY_STEP_MS } from "../contract/terminals.ts";
import { displayText } from "../sources/text.ts";
import type { Clock } from "../time/clock.ts";
import { Freezing } from "./freezing.ts";
import { Onlookers, type Size } from "./onlookers.ts";
import { outputSource, recordedOutput } from "./output-source.ts";
import type { RecordedOutput } from "./plain/recorded.ts";
import { Pressure } from "./pressure.ts";
import type { Pty, PtyExit } from "./pty/pty.ts";
import type { TreeRoot } from "./pty/tree.ts";
import { Questions } from "./questions.ts";
import { Resizing } from "./resizing.ts";
import { Ring } from "./ring.ts";
import { Root } from "./root-process.ts";
import type { Screen } from "./screen/screen.ts";
import { Signal } from "./signal.ts";
import type { TerminalOptions, TerminalParts, TerminalState } from "./terminal-options.ts";
import { type Modes, Scanner } from "./vt/scanner.ts";
import type { OutputSource } from "./waits/source.ts";

/** The columns that a screen has at least: a wide character has to fit. */
const LEAST_COLUMNS = 2;

/** How much output is kept where nobody said, in bytes. */
const HISTORY_BYTES = 1024 * 1024;

/** One terminal: a program on a pseudo-terminal, what it wrote, and its screen. */
export class Terminal {
  readonly options: TerminalOptions;
  readonly createdAt: number;
  readonly ring: Ring;
  readonly screen: Screen;
  /** Its output as readers of text and as waits see it. */
  readonly recorded: RecordedOutput;
  readonly source: OutputSource;
  /** What its program has asked the terminal of late. */
  readonly questions = new Questions();
  /** Output came, or all of it is there, or there will be none any more. */
  readonly output = new Signal();
  /** What is said of it differs. */
  readonly changed = new Signal();
  readonly #clock: Clock;
  readonly #onlookers = new Onlookers();
  readonly #freezing: Freezing;
  readonly #pressure: Pressure;
  readonly #resizing: Resizing;
  readonly #scanner: Scanner;
  readonly #pty: Pty;
  readonly #root: Root;
  #state: TerminalState = "running";
  #name: string | undefined;
  #title = "";
  #size: Size;
  #exit: PtyExit | undefined;
  #modes: Modes | undefined;
  #isAlternate = false;
  /** Whether there is a question in the output that is being taken. */
  #isAsked = false;
  #bell = false;
  #activityAt: number | undefined;

  /** Throws where the program cannot be started. */
  constructor(options: TerminalOptions, parts: TerminalParts) {
    const { clock, spawn, openScreen } = parts;
    const { command, cwd, environment: env, cols, rows } = options;
    const [file, ...args] = command;
    this.options = options;
    this.ring = new Ring(options.historyBytes ?? HISTORY_BYTES);
    this.createdAt = clock.now();
    this.#clock = clock;
    this.#name = displayText(options.name);
    this.#size = { cols, rows };
    this.#scanner = new Scanner({
      title: (text) => {
        this.#title = displayText(text) ?? "";
        this.changed.emit();
      },
      bell: () => {
        if (this.#bell) return;
        this.#bell = true;
        this.changed.emit();
      },
      alternate: (isOn) => {
        this.#isAlternate = isOn;
      },
      modes: (modes) => {
        this.#modes = modes;
      },
      // The screen is fed everything, so it answers; what a viewer's own terminal answers as well is told by this.
      query: (question) => {
        this.#isAsked = true;
        this.questions.note(this.#scanner.end, question);
      },
    });
    this.recorded = recordedOutput({
      ring: this.ring,
      scanner: this.#scanner,
      cols: () => this.#size.cols,
    });
    this.source = outputSource(this.recorded, this);
    this.#resizing = new Resizing(clock, (size) => this.#resize(size));
    // Programs ask the terminal, and nobody but the screen answers.
    this.screen = openScreen({
      cols: Math.max(LEAST_COLUMNS, cols),
      rows,
      answer: (bytes) => void this.write(bytes),
      replay: () => new Uint8Array(this.ring.copy(this.ring.start, this.ring.end)),
      used: () => this.#freezing.look(),
    });
    this.#freezing = new Freezing(this.screen, clock);
    this.#pressure = new Pressure(this.screen, clock);
    try {
      this.#pty = spawn(
        { file, args, cwd, env, cols, rows, clock },
        { data: (bytes) => this.#take(bytes), exit: (exit) => this.#end(exit) },
      );
    } catch (error) {
      this.screen.dispose();
      throw error;
    }
    this.#root = new Root(this.#pty, parts.table, this.createdAt);
  }

  get state(): TerminalState {
    return this.#state;
  }

  /** Absent once it has ended. */
  get pid(): number | undefined {
    return this.#state === "running" ? this.#pty.pid : undefined;
  }

  /** The process that was started in it, told from whoever gets its number later. */
  get root(): TreeRoot {
    return this.#root.known;
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

  get size(): Size {
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

  /** How many look at it. */
  get viewers(): number {
    return this.#onlookers.count;
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

  /** Resolves once it has this size, or one that was asked for later. One whose program has ended stays as it is. */
  resize(cols: number, rows: number): Promise<void> {
    return this.#state === "running" ? this.#resizing.to({ cols, rows }) : Promise.resolve();
  }

  /** Somebody begins to look at it. */
  watch(viewer: object): void {
    this.#onlookers.add(viewer);
    this.changed.emit();
  }

  unwatch(viewer: object): void {
    this.#follow(this.#onlookers.remove(viewer));
    this.changed.emit();
  }

  /** It is to be as large as somebody who looks at it has room for. */
  fit(viewer: object, size: Size): void {
    this.#onlookers.stated(viewer, size);
    this.#follow(size);
  }

  /** Somebody who looks at it is at work in it. */
  used(viewer: object): void {
    this.#follow(this.#onlookers.active(viewer));
    this.seen();
  }

  rename(name: string | undefined): void {
    const shown = displayText(name);
    if (shown === this.#name) return;
    this.#name = shown;
    this.changed.emit();
  }

  /** Somebody looks at it. */
  seen(): void {
    if (!this.#bell) return;
    this.#bell = false;
    this.changed.emit();
  }

  /** Takes it away. Its program has ended by then, unless nothing could end it: what that still writes is lost. */
  close(): void {
    this.#state = "closed";
    this.#resizing.end();
    this.#pressure.end();
    this.#freezing.end();
    this.screen.dispose();
    this.output.emit();
    this.changed.emit();
  }

  #follow(size: Size | undefined): void {
    if (size !== undefined) void this.resize(size.cols, size.rows);
  }

  /** The program learns of it first: what it writes for the old size comes before what the screen is told. */
  #resize(size: Size): void {
    if (this.#state !== "running") return;
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#pty.resize(size.cols, size.rows);
    this.screen.resize(Math.max(LEAST_COLUMNS, size.cols), size.rows);
    this.#freezing.look();
    this.changed.emit();
  }

  #take(bytes: Buffer): void {
    if (this.#state === "closed") return;
    // First, for it takes out of the bytes what nobody is to have.
    this.#scanner.feed(bytes);
    this.ring.append(bytes);
    this.#noteActivity();
    this.screen.feed(bytes);
    if (this.#isAsked) this.screen.flush();
    this.#isAsked = false;
    this.output.emit();
    this.#pressure.look(this.#pty);
    this.#freezing.look();
  }

  /** It is stated in steps, so that is when it differs. */
  #noteActivity(): void {
    const now = this.#clock.now();
    const step = Math.floor(now / ACTIVITY_STEP_MS);
    const isNew = step !== Math.floor((this.#activityAt ?? -1) / ACTIVITY_STEP_MS);
    this.#activityAt = now;
    if (isNew) this.changed.emit();
  }

  #end(exit: PtyExit): void {
    if (this.#state === "closed") return;
    this.#exit = exit;
    this.#root.ended(this.#clock.now());
    this.#resizing.end();
    this.#pressure.end();
    this.#state = "exited";
    this.output.emit();
    this.changed.emit();
  }
}
