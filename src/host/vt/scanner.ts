import { ClipboardGuard } from "./clipboard.ts";
import { KittyKeyboard } from "./kitty-keyboard.ts";
import { INITIAL_MODES, type Modes, withPrivateMode } from "./modes.ts";
import { VtParser } from "./parser.ts";
import {
  isCommandQuestion,
  isDeviceQuestion,
  isQuestion,
  type Question,
  questionOf,
} from "./queries.ts";
import { SAFE_POINT_STEP, SafePoints } from "./safe-points.ts";
import type { Sequence } from "./sequence.ts";
import { titleOf } from "./title.ts";
import { Titles } from "./titles.ts";

export type { Modes } from "./modes.ts";

/** What of a terminal's output concerns the host. Each is told while the bytes are fed that say so. */
export interface ScannerEvents {
  /** It differs from the one before, is free of control characters, and takes at most MAX_TITLE_BYTES. */
  title(text: string): void;
  bell(): void;
  /** A program takes the alternate screen, or gives it back. */
  alternate(isOn: boolean): void;
  /** One of them differs. */
  modes(modes: Modes): void;
  /** The program asked the terminal something that a screen must answer. */
  query(question: Question): void;
}

const BEL = 0x07;
const ENQ = 0x05;
const QUESTION = 0x3f;
const HASH_BANG = 0x21;
/** CAN ends any sequence (ECMA-48, 8.3.6). */
const CANCEL = Uint8Array.of(0x18);

const final = (character: string) => character.charCodeAt(0);
const SET = final("h");
const RESET = final("l");
const WINDOW = final("t");
const KEYBOARD = final("u");
const SOFT_RESET = final("p");
const IDENTIFY = final("Z");
const FULL_RESET = final("c");
const KEYPAD_ON = final("=");
const KEYPAD_OFF = final(">");

/** Private modes that switch between the two screens. */
const ALTERNATE = new Set([47, 1047, 1049]);

/** Reads all that a terminal's program writes, once, for what the host itself has to know, before anybody else has it: what
 * would reach a viewer's clipboard is made harmless in place. What it tells, what it changes and where the safe points lie
 * depends on the bytes alone, never on the pieces they came in. */
export class Scanner {
  readonly points: SafePoints;
  /** What is open at the end of the output. */
  readonly parser: VtParser;
  readonly #events: ScannerEvents;
  readonly #kitty = new KittyKeyboard();
  readonly #titles = new Titles();
  #modes: Modes = INITIAL_MODES;
  #isAlternate = false;
  #end: number;
  #nextPoint: number;

  /** `limit`: bytes of the ring that the safe points are for. `origin`: offset of the first byte that will be fed. */
  constructor(events: ScannerEvents, limit = 1024 * 1024, origin = 0) {
    this.#events = events;
    this.#end = origin;
    this.#nextPoint = stepAfter(origin);
    this.points = new SafePoints(limit, origin);
    const clipboard = new ClipboardGuard();
    this.parser = new VtParser({
      text() {},
      character() {},
      control: (code) => this.#control(code),
      escape: (code, intermediate) => this.#escape(code, intermediate),
      csi: (sequence) => this.#csi(sequence),
      dcs: (sequence) => {
        if (isDeviceQuestion(sequence)) events.query("other");
      },
      osc: (body) => this.#osc(body),
      string: (isCommand) => clipboard.begin(isCommand),
      piece: (bytes, start, end) => clipboard.take(bytes, start, end),
    });
  }

  get modes(): Modes {
    return this.#modes;
  }

  get title(): string {
    return this.#titles.title;
  }

  get isAlternate(): boolean {
    return this.#isAlternate;
  }

  /** Where the output ends, with the bytes that are being fed. */
  get end(): number {
    return this.#end;
  }

  feed(bytes: Uint8Array): void {
    const origin = this.#end;
    this.#end += bytes.length;
    let at = 0;
    while (at < bytes.length) {
      const point = this.#nextPoint - origin;
      const end = Math.min(bytes.length, Math.max(at, point));
      // Up to where the next point may be; from there on, as far as something is open.
      if (at < point) at = this.parser.parse(bytes, at, end);
      else if (!this.parser.isGround) at = this.parser.parse(bytes, at, bytes.length, true);
      if (at >= point && this.parser.isGround) this.#mark(origin + at);
    }
  }

  /** Takes what is no output of the program and puts the terminal into a state before it. */
  prime(bytes: Uint8Array): void {
    this.parser.parse(bytes, 0, bytes.length);
  }

  /** So many bytes of output are missing: whatever was open is taken to be over. */
  skip(length: number): void {
    this.parser.parse(CANCEL, 0, CANCEL.length);
    this.#end += length;
    this.#nextPoint = stepAfter(this.#end);
    this.points.clear();
  }

  #mark(offset: number): void {
    this.points.add(offset);
    this.#nextPoint = stepAfter(offset);
  }

  #control(code: number): void {
    if (code === BEL) this.#events.bell();
    else if (code === ENQ) this.#events.query("other");
  }

  #escape(code: number, intermediate: number): void {
    if (intermediate !== 0) return;
    if (code === FULL_RESET) this.#reset();
    else if (code === IDENTIFY) this.#events.query("other");
    else if (code === KEYPAD_ON || code === KEYPAD_OFF) {
      this.#setModes({ ...this.#modes, applicationKeypad: code === KEYPAD_ON });
    }
  }

  #csi(sequence: Sequence): void {
    const { prefix, intermediate, final: last } = sequence;
    if (isQuestion(sequence)) {
      this.#events.query(questionOf(sequence));
    } else if (intermediate === HASH_BANG && last === SOFT_RESET) {
      this.#setModes({ ...this.#modes, applicationCursor: false, applicationKeypad: false });
    } else if (intermediate !== 0) {
      return;
    } else if (prefix === QUESTION && (last === SET || last === RESET)) {
      this.#privateModes(sequence, last === SET);
    } else if (last === KEYBOARD && prefix !== 0) {
      this.#kitty.take(sequence);
      this.#setModes({ ...this.#modes, kittyKeyboard: this.#kitty.flags });
    } else if (last === WINDOW && prefix === 0) {
      this.#retitle(() => this.#titles.operate(sequence.value(0, 0), sequence.value(1, 0)));
    }
  }

  #privateModes(sequence: Sequence, isOn: boolean): void {
    let modes = this.#modes;
    for (let index = 0; index < sequence.count; index += 1) {
      const mode = sequence.value(index, 0);
      modes = withPrivateMode(modes, mode, isOn);
      if (ALTERNATE.has(mode)) this.#show(isOn);
    }
    this.#setModes({ ...modes, kittyKeyboard: this.#kitty.flags });
  }

  #show(isAlternate: boolean): void {
    this.#kitty.show(isAlternate);
    if (isAlternate === this.#isAlternate) return;
    this.#isAlternate = isAlternate;
    this.#events.alternate(isAlternate);
  }

  #osc(body: Uint8Array): void {
    const title = titleOf(body);
    if (title !== undefined) this.#retitle(() => this.#titles.set(title));
    else if (isCommandQuestion(body)) this.#events.query("other");
  }

  #retitle(change: () => void): void {
    const before = this.title;
    change();
    if (this.title !== before) this.#events.title(this.title);
  }

  #reset(): void {
    this.#kitty.reset();
    this.#titles.reset();
    this.#show(false);
    this.#setModes(INITIAL_MODES);
  }

  #setModes(modes: Modes): void {
    if (isSame(modes, this.#modes)) return;
    this.#modes = modes;
    this.#events.modes(modes);
  }
}

const stepAfter = (offset: number) => (Math.floor(offset / SAFE_POINT_STEP) + 1) * SAFE_POINT_STEP;

function isSame(one: Modes, other: Modes): boolean {
  return (
    one.applicationCursor === other.applicationCursor &&
    one.applicationKeypad === other.applicationKeypad &&
    one.bracketedPaste === other.bracketedPaste &&
    one.focus === other.focus &&
    one.mouse.tracking === other.mouse.tracking &&
    one.mouse.encoding === other.mouse.encoding &&
    one.kittyKeyboard === other.kittyKeyboard &&
    one.colorSchemeReports === other.colorSchemeReports &&
    one.synchronized === other.synchronized
  );
}
