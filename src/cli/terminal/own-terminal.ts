import { spawnSync } from "node:child_process";
import type { ReadStream, WriteStream } from "node:tty";

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

/** The terminal of this process's input and output. */
export class ProcessTerminal implements OwnTerminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  #leave: (() => void) | undefined;

  constructor(input: ReadStream, output: WriteStream) {
    this.#input = input;
    this.#output = output;
  }

  /** Absent where it does not know its size. */
  get size(): { readonly cols: number; readonly rows: number } | undefined {
    const { columns: cols, rows } = this.#output;
    return cols > 0 && rows > 0 ? { cols, rows } : undefined;
  }

  enter(events: OwnTerminalEvents): void {
    const input = this.#input;
    const output = this.#output;
    const typed = (bytes: Buffer) => events.typed(bytes);
    const { resized, suspended, ended } = bound(events);
    for (const signal of SIGNALS) process.on(signal, ended);
    process.on("SIGTSTP", suspended);
    // However the program ends, the terminal is as it was.
    process.on("exit", this.leave);
    output.on("resize", resized);
    input.on("data", typed);
    input.on("end", ended);
    input.on("error", ended);
    this.#leave = () => {
      for (const signal of SIGNALS) process.off(signal, ended);
      process.off("SIGTSTP", suspended);
      process.off("exit", this.leave);
      output.off("resize", resized);
      input.off("data", typed);
      input.off("end", ended);
      input.pause();
      output.write(LEAVE);
      input.setRawMode(false);
    };
    makeRaw(input);
    output.write(enterText(this.size?.rows ?? 0));
    input.resume();
  }

  readonly leave = (): void => {
    const leave = this.#leave;
    this.#leave = undefined;
    leave?.();
  };

  write(bytes: Uint8Array): Promise<void> {
    // Where it fails the terminal has gone, which the input tells.
    return new Promise((resolve) => this.#output.write(bytes, () => resolve()));
  }

  reads(isOn: boolean): void {
    if (this.#leave === undefined) return;
    if (isOn) this.#input.resume();
    else this.#input.pause();
  }
}

function bound(events: OwnTerminalEvents) {
  return {
    resized: () => events.resized(),
    suspended: () => events.suspended(),
    ended: () => events.ended(),
  };
}

/** Lets every key through and every byte be shown as it is. Node's raw mode has the kernel put a carriage return before
 * each newline, which moves the cursor of programs that want one row down and nothing else. */
function makeRaw(input: ReadStream): void {
  input.setRawMode(true);
  spawnSync("stty", ["-opost"], { stdio: ["inherit", "ignore", "ignore"] });
}
