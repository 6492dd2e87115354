import { displayText } from "../sources/text.ts";
import type { Clock } from "../time/clock.ts";
import { Activity } from "./activity.ts";
import { Heard } from "./heard.ts";
import { Onlookers, type Size } from "./onlookers.ts";
import { outputSource, recordedOutput } from "./output-source.ts";
import type { RecordedOutput } from "./plain/recorded.ts";
import type { PtyExit } from "./pty/pty.ts";
import type { TreeRoot } from "./pty/tree.ts";
import { Questions } from "./questions.ts";
import { Resizing } from "./resizing.ts";
import { Ring } from "./ring.ts";
import { Root } from "./root-process.ts";
import { commandLineOf } from "./sandbox/command-line-of.ts";
import { endInSandbox } from "./sandbox/exit.ts";
import type { Screen } from "./screen/screen.ts";
import { ScreenCare } from "./screen-care.ts";
import { Signal } from "./signal.ts";
import {
  FROM_BEGINNING,
  type TerminalOptions,
  type TerminalParts,
  type TerminalPty,
  type TerminalState,
} from "./terminal-options.ts";
import type { Modes } from "./vt/scanner.ts";
import type { OutputSource } from "./waits/source.ts";

/** The columns that a screen has at least: a wide character has to fit. */
const LEAST_COLUMNS = 2;

/** How much output is kept where nobody said, in bytes. */
export const HISTORY_BYTES = 1024 * 1024;

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
  readonly #activity = new Activity();
  readonly #clock: Clock;
  readonly #onlookers = new Onlookers();
  readonly #care: ScreenCare;
  readonly #resizing: Resizing;
  readonly #heard: Heard;
  readonly #pty: TerminalPty;
  readonly #root: Root;
  #state: TerminalState = "running";
  #name: string | undefined;
  #size: Size;
  #exit: PtyExit | undefined;

  /** `start`: where its output begins that is still kept, in bytes since the terminal began, and `primer` what put it into the
   * state that it had then. Throws where the program cannot be started. */
  constructor(options: TerminalOptions, parts: TerminalParts, { start, primer } = FROM_BEGINNING) {
    const { clock, spawn, openScreen } = parts;
    const { cwd, environment: env, cols, rows, historyBytes = HISTORY_BYTES, sandbox } = options;
    const [file, ...args] = commandLineOf(options);
    this.options = options;
    this.ring = new Ring(historyBytes, start);
    this.createdAt = options.adopted?.createdAt ?? clock.now();
    this.#clock = clock;
    this.#name = displayText(options.name);
    this.#size = { cols, rows };
    this.#heard = new Heard(this, { limit: historyBytes, origin: start, primer });
    const { scanner } = this.#heard;
    this.recorded = recordedOutput({ ring: this.ring, scanner, cols: () => this.#size.cols });
    this.source = outputSource(this.recorded, this);
    this.#resizing = new Resizing(clock, (size) => this.#resize(size));
    this.screen = openScreen({
      cols: Math.max(LEAST_COLUMNS, cols),
      rows,
      // Programs ask the terminal, and nobody but the screen answers, unless something stands between.
      answer: (bytes) => {
        if (this.#pty.answersQueries !== true) this.write(bytes);
      },
      replay: () => new Uint8Array(this.ring.copy(this.ring.start, this.ring.end)),
      used: () => this.#care.used(),
    });
    this.#care = new ScreenCare(this.screen, clock);
    try {
      this.#pty = spawn(
        { file, args, cwd, env, cols, rows, clock },
        {
          data: (bytes) => this.#take(bytes),
          missed: (bytes) => this.#miss(bytes),
          exit: (exit) => this.#end(sandbox ? endInSandbox(exit) : exit),
        },
      );
    } catch (error) {
      this.screen.dispose();
      throw error;
    }
    const { pid, tty } = this.#pty;
    const root = options.adopted?.root ?? { pid, tty, begunAt: this.createdAt };
    const known = { ...root, isSandbox: sandbox !== undefined };
    this.#root = new Root(known, parts.table, this.isDurable);
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
    return this.#heard.title;
  }

  get size(): Size {
    return this.#size;
  }

  /** How its program ended. Absent while it runs. */
  get exit(): PtyExit | undefined {
    return this.#exit;
  }

  /** Whether it went away by itself: nobody knows how its program ended. */
  get isLost(): boolean {
    return this.#exit?.isLost === true;
  }

  /** Whether it outlives this process. */
  get isDurable(): boolean {
    return this.#pty.release !== undefined;
  }

  /** What its program has asked of keyboards and pointers. */
  get modes(): Modes | undefined {
    return this.#heard.modes;
  }

  /** Whether a program uses the whole screen. */
  get isAlternate(): boolean {
    return this.#heard.isAlternate;
  }

  /** How many look at it. */
  get viewers(): number {
    return this.#onlookers.count;
  }

  /** Whether a bell rang since somebody looked. */
  get bell(): boolean {
    return this.#heard.bell;
  }

  /** When it last wrote something, in epoch milliseconds. */
  get activityAt(): number | undefined {
    return this.#activity.at;
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
    this.#heard.seen();
  }

  /** Lets go of one that outlives this process: it lives on, and nothing of it is told any more. */
  release(): void {
    this.#pty.release?.();
    this.#letGo();
  }

  /** Takes away what would outlive this process. Its program has ended by then. Rejects where that is not known to be
   * done. */
  async discard(): Promise<void> {
    await this.#pty.remove?.();
  }

  /** Takes it away. Its program has ended by then, unless nothing could end it: what that still writes is lost. */
  close(): void {
    this.#state = "closed";
    this.#letGo();
    this.output.emit();
    this.changed.emit();
  }

  #letGo(): void {
    this.#resizing.end();
    this.#care.dispose();
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
    this.#care.used();
    this.changed.emit();
  }

  #take(bytes: Buffer): void {
    if (this.#state === "closed") return;
    // First, for it takes out of the bytes what nobody is to have.
    const isAsked = this.#heard.feed(bytes);
    this.ring.append(bytes);
    if (this.#activity.note(this.#clock.now())) this.changed.emit();
    this.screen.feed(bytes);
    if (isAsked) this.screen.flush();
    this.output.emit();
    this.#care.fed(this.#pty);
  }

  #miss(bytes: number): void {
    this.ring.skip(bytes);
    this.#heard.scanner.skip(bytes);
    this.output.emit();
  }

  #end(exit: PtyExit): void {
    if (this.#state === "closed") return;
    this.#exit = exit;
    this.#root.ended(this.#clock.now());
    this.#resizing.end();
    this.#care.endOutput();
    this.#state = "exited";
    this.output.emit();
    this.changed.emit();
  }
}
