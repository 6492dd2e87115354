/** Commands that reach the clipboard of whoever looks at the terminal: xterm's ("Manipulate Selection Data") and kitty's. */
const CLIPBOARDS: ReadonlySet<number> = new Set([52, 5522]);

/** Commands of iTerm2 that do so where this is how their text begins. */
const PROPRIETARY: ReadonlySet<number> = new Set([50, 1337]);
const COPYING = Buffer.from("Copy");

const NINE = 0x39;
const SEMICOLON = 0x3b;
/** What terminals pass over within a command, or may: controls, blanks, and what is no ASCII. */
const isPassedOver = (byte: number) => byte <= 0x20 || byte >= 0x7f;
const isDigit = (byte: number) => byte >= 0x30 && byte <= NINE;

/** Larger numbers are no command's. */
const MOST_NUMBER = 99_999;

/** The C1 control that begins a command, as UTF-8 has it. */
const LEAD = 0xc2;
const COMMAND = 0x9d;

/** Makes operating system commands that would reach a viewer's clipboard mean nothing, in place: one byte becomes another,
 * before anybody has been sent it, so that all offsets stay what they are. A program's output is shown on the terminals of
 * people who have not been asked whether it may. */
export class ClipboardGuard {
  /** The number so far. */
  #number = 0;
  /** How much of a beginning of text has come that must not. Absent while the number is open. */
  #copying: number | undefined;
  /** Whether it is known what becomes of the command. */
  #isDecided = true;
  #before = 0;

  /** A string begins. */
  begin(isCommand: boolean): void {
    this.#number = 0;
    this.#copying = undefined;
    this.#isDecided = !isCommand;
    this.#before = 0;
  }

  /** More of the string's body has come, cut anywhere. */
  take(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at += 1) {
      if (this.#isDecided) {
        const next = bytes.subarray(at, end).indexOf(COMMAND);
        if (next < 0) break;
        if (next > 0) this.#before = bytes[at + next - 1] ?? 0;
        at += next;
      }
      const byte = bytes[at] ?? 0;
      // Within a string it begins a command on some terminals, and nothing on others.
      if (byte === COMMAND && this.#before === LEAD) this.begin(true);
      else if (!this.#isDecided) this.#look(bytes, at, byte);
      this.#before = byte;
    }
    if (end > start) this.#before = bytes[end - 1] ?? 0;
  }

  #look(bytes: Uint8Array, at: number, byte: number): void {
    if (isPassedOver(byte)) return;
    if (this.#copying !== undefined) this.#text(bytes, at, this.#copying);
    else if (byte === SEMICOLON) this.#numbered(bytes, at);
    else if (isDigit(byte) && this.#number <= MOST_NUMBER) {
      this.#number = this.#number * 10 + byte - 0x30;
    } else this.#isDecided = true;
  }

  /** The number is whole. With a digit in place of what ends it, it is that of no command. */
  #numbered(bytes: Uint8Array, at: number): void {
    if (PROPRIETARY.has(this.#number)) {
      this.#copying = 0;
      return;
    }
    if (CLIPBOARDS.has(this.#number)) bytes[at] = NINE;
    this.#isDecided = true;
  }

  #text(bytes: Uint8Array, at: number, matched: number): void {
    this.#copying = matched + 1;
    const isSame = bytes[at] === COPYING[matched];
    this.#isDecided = !isSame || this.#copying === COPYING.length;
    if (isSame && this.#isDecided) bytes[at] = NINE;
  }
}
