import { spawnSync } from "node:child_process";
import type { ReadStream, WriteStream } from "node:tty";
import type { TerminalTheme } from "../../host/channel/messages.ts";
import { COLOUR_QUESTION, ColourAnswers } from "./own-colours.ts";
import { cutTyped } from "./typed.ts";

/** What happens at a person's own terminal. */
export interface OwnTerminalEvents {
  typed(bytes: Uint8Array): void;
  resized(): void;
  /** Somebody wants the program to be stopped for a while (SIGTSTP). */
  suspended(): void;
  /** Somebody wants the program to end, or the terminal has gone. */
  ended(): void;
}

/** The terminal that a person sits at, while it shows another one. */
export interface OwnTerminal {
  readonly size: { readonly cols: number; readonly rows: number } | undefined;
  /** Asks for its colours. Resolves with them, or soon without where they have not come; `late` is told of those that come
   * after that. What is typed meanwhile is kept for `enter`, and until `leave` the terminal is no shell's. */
  colours(late: (theme: TerminalTheme) => void): Promise<TerminalTheme | undefined>;
  /** Whether a sequence that came answers what it was asked here, so that nobody typed it. */
  answers(part: string): boolean;
  /** Resolves once no answer is outstanding any more, which would otherwise be typed at whatever reads next. */
  settled(): Promise<void>;
  /** Gives it to what is shown. */
  enter(events: OwnTerminalEvents): void;
  /** Puts it back as it was, but for what was shown. May be called at any time, also twice. */
  leave(): void;
  /** Resolves once it has taken the bytes. */
  write(bytes: Uint8Array): Promise<void>;
  /** Whether what is typed is read. */
  reads(isOn: boolean): void;
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const;

/** Puts the title away (XTWINOPS 22), and moves what is on the screen out of the way of what is about to be shown: lines
 * that leave at the top are kept. */
const enterText = (rows: number) => `\x1b[22;2t${"\n".repeat(rows)}`;

/** Ends what a program may have left on, whatever it was in the midst of: sequences, screens, keyboards, modes; then goes
 * below what was shown. Xterm's ctlseqs and kitty's keyboard protocol name them. */
const LEAVE = [
  "\x18\x1b[?2026l",
  "\x1b[<16u\x1b[=0;1u\x1b[?1049l\x1b[<16u\x1b[=0;1u\x1b[>4m",
  "\x1b[!p\x1b[?1l\x1b>\x1b[?5l\x1b[?6l\x1b[?7h\x1b[?12l\x1b[?25h\x1b[?45l\x1b[?66l\x1b[4l\x1b[20l",
  "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1007l\x1b[?1015l\x1b[?1016l",
  "\x1b[?2004l\x1b[?2031l\x1b[?2048l",
  "\x1b[0 q\x1b(B\x1b)B\x0f\x1b]8;;\x1b\\\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\",
  "\x1b[m\x1b[r\x1b[23;2t\x1b[9999;1H\r\n",
].join("");

/** How long what is shown waits for the colours, in milliseconds. A terminal on this host takes a few; one that is far away
 * tells them later. */
const COLOURS_MS = 150;

/** How long after the question an answer may come, in milliseconds. One that takes longer is none of a terminal. */
const LATEST_MS = 1_000;

/** The terminal of this process's input and output. */
export class ProcessTerminal implements OwnTerminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  #events: OwnTerminalEvents | undefined;
  /** Gives it back to whoever had it; there while it is ours. */
  #release: (() => void) | undefined;
  /** What came before somebody wanted it. */
  #ahead: Buffer[] = [];
  #hasEnded = false;
  #question: ColourAnswers | undefined;
  #late: ((theme: TerminalTheme) => void) | undefined;
  #latest = 0;
  #wake = () => {};

  constructor(input: ReadStream, output: WriteStream) {
    this.#input = input;
    this.#output = output;
  }

  /** Absent where it does not know its size. */
  get size(): { readonly cols: number; readonly rows: number } | undefined {
    const { columns: cols, rows } = this.#output;
    return cols > 0 && rows > 0 ? { cols, rows } : undefined;
  }

  async colours(late: (theme: TerminalTheme) => void): Promise<TerminalTheme | undefined> {
    this.#take();
    this.#latest = performance.now() + LATEST_MS;
    this.#question = new ColourAnswers();
    this.#output.write(COLOUR_QUESTION);
    await this.#until(() => this.#answersAhead().isComplete, COLOURS_MS);
    const { isComplete, theme } = this.#answersAhead();
    if (!isComplete) this.#late = late;
    return theme;
  }

  answers(part: string): boolean {
    const question = this.#question;
    if (question?.takes(part) !== true) return false;
    if (question.isComplete) {
      if (question.theme !== undefined) this.#late?.(question.theme);
      this.#question = undefined;
      this.#wake();
    }
    return true;
  }

  async settled(): Promise<void> {
    const isSettled = () =>
      this.#release === undefined ||
      this.#question === undefined ||
      (this.#events === undefined && this.#answersAhead().isComplete);
    this.reads(true);
    await this.#until(isSettled, this.#latest - performance.now());
  }

  enter(events: OwnTerminalEvents): void {
    this.#take();
    this.#events = events;
    this.#output.write(enterText(this.size?.rows ?? 0));
    for (const bytes of this.#ahead.splice(0)) events.typed(bytes);
    if (this.#hasEnded) events.ended();
  }

  readonly leave = (): void => {
    const isEntered = this.#events !== undefined;
    this.#events = undefined;
    this.#ahead = [];
    if (this.#release !== undefined && isEntered) this.#output.write(LEAVE);
    this.#release?.();
    this.#release = undefined;
  };

  write(bytes: Uint8Array): Promise<void> {
    // Where it fails the terminal has gone, which the input tells.
    return new Promise((resolve) => this.#output.write(bytes, () => resolve()));
  }

  reads(isOn: boolean): void {
    if (this.#release === undefined) return;
    if (isOn) this.#input.resume();
    else this.#input.pause();
  }

  /** Makes it ours, if it is not. */
  #take(): void {
    if (this.#release !== undefined) return;
    const input = this.#input;
    const output = this.#output;
    const typed = (bytes: Buffer) => this.#typed(bytes);
    const resized = () => this.#events?.resized();
    const suspended = () => this.#events?.suspended();
    const ended = () => this.#ended();
    for (const signal of SIGNALS) process.on(signal, ended);
    process.on("SIGTSTP", suspended);
    // However the program ends, the terminal is as it was.
    process.on("exit", this.leave);
    output.on("resize", resized);
    input.on("data", typed);
    input.on("end", ended);
    input.on("error", ended);
    this.#release = () => {
      for (const signal of SIGNALS) process.off(signal, ended);
      process.off("SIGTSTP", suspended);
      process.off("exit", this.leave);
      output.off("resize", resized);
      input.off("data", typed);
      input.off("end", ended);
      input.pause();
      input.setRawMode(false);
    };
    makeRaw(input);
    input.resume();
  }

  #typed(bytes: Buffer): void {
    if (this.#events === undefined) this.#ahead.push(bytes);
    else this.#events.typed(bytes);
    this.#wake();
  }

  #ended(): void {
    this.#hasEnded = true;
    this.#events?.ended();
    this.#wake();
  }

  /** The answers among what came so far. They stay there, to be taken out when it is typed. */
  #answersAhead(): ColourAnswers {
    const answers = new ColourAnswers();
    const { parts } = cutTyped(Buffer.concat(this.#ahead).toString("latin1"));
    for (const part of parts) answers.takes(part);
    return answers;
  }

  /** Resolves once it holds, or the terminal has gone, or after so many milliseconds. */
  #until(holds: () => boolean, ms: number): Promise<void> {
    if (holds() || this.#hasEnded || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = () => {
        if (holds() || this.#hasEnded) done();
      };
    });
  }
}

/** Lets every key through and every byte be shown as it is. Node's raw mode has the kernel put a carriage return before
 * each newline, which moves the cursor of programs that want one row down and nothing else. */
function makeRaw(input: ReadStream): void {
  input.setRawMode(true);
  spawnSync("stty", ["-opost"], { stdio: ["inherit", "ignore", "ignore"] });
}
