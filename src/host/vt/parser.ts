import { Sequence } from "./sequence.ts";
import { StringBody } from "./string-body.ts";

/** What a parser finds, in the order in which it stands in the output. */
export interface VtHandler {
  /** A run of printable ASCII: `bytes[start]` to before `bytes[end]`, never empty. Where a run is cut says nothing. */
  text(bytes: Uint8Array, start: number, end: number): void;
  /** A character that is no ASCII; U+FFFD for bytes that are no UTF-8. */
  character(code: number): void;
  /** A control of C0 or C1 other than those that begin or end a sequence; DEL does nothing and is not told. */
  control(code: number): void;
  /** An escape sequence of one final byte. `intermediate` as in Sequence. */
  escape(final: number, intermediate: number): void;
  csi(sequence: Sequence): void;
  /** The head of a device control string. Its body is not kept. */
  dcs(sequence: Sequence): void;
  /** The body of an operating system command, a view that holds during the call; `undefined` for a handler that keeps none.
   * It is cut at MAX_STRING_BYTES. */
  osc?(body: Uint8Array): void;
  /** A string begins: that of an operating system command, or another. */
  string?(isCommand: boolean): void;
  /** `bytes[start]` to before `bytes[end]` come to it. They may be changed in place before they are kept. */
  piece?(bytes: Uint8Array, start: number, end: number): void;
}

const GROUND = 0;
const CHARACTER = 1;
const ESCAPE = 2;
const CSI = 3;
const CSI_IGNORED = 4;
const DCS = 5;
const OSC = 6;
const STRING = 7;

const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
const DEL = 0x7f;
const ST = 0x9c;
const REPLACEMENT = 0xfffd;

/**
 * Takes a terminal's output apart, byte by byte, whatever pieces it comes in: the same handler calls follow but for where
 * runs of text are cut. The states are those of ECMA-48 and of xterm: C0 controls work inside sequences, CAN, SUB and ESC
 * end whatever is open, C1 controls count where they are written in UTF-8. Strings are bounded; device control strings,
 * SOS, PM and APC are swallowed. An incomplete character waits for its rest; only one that can no longer become valid is
 * U+FFFD, as the encoding standard of the web has it.
 */
export class VtParser {
  readonly #handler: VtHandler;
  readonly #sequence = new Sequence();
  #state = GROUND;
  #intermediate = 0;
  readonly #body = new StringBody();
  #endsInC2 = false;
  #needed = 0;
  #code = 0;
  #lower = 0x80;
  #upper = 0xbf;

  constructor(handler: VtHandler) {
    this.#handler = handler;
  }

  /** Neither a character nor a sequence is open. */
  get isGround(): boolean {
    return this.#state === GROUND;
  }

  /** Goes on in the middle of what the other one has open. What it has kept of a body is not taken over. */
  resume(other: VtParser): void {
    this.#state = other.#state;
    this.#intermediate = other.#intermediate;
    this.#sequence.copy(other.#sequence);
    this.#needed = other.#needed;
    this.#code = other.#code;
    this.#lower = other.#lower;
    this.#upper = other.#upper;
    this.#endsInC2 = other.#endsInC2;
  }

  /** Takes bytes in and answers with where it stopped: at the end, or at once when nothing is open any more if that was
   * asked for. */
  parse(bytes: Uint8Array, start = 0, end = bytes.length, untilGround = false): number {
    let at = start;
    while (at < end) {
      at = this.#step(bytes, at, end);
      if (untilGround && this.#state === GROUND) break;
    }
    return at;
  }

  #step(bytes: Uint8Array, at: number, end: number): number {
    switch (this.#state) {
      case GROUND:
        return this.#ground(bytes, at, end);
      case CHARACTER:
        return this.#character(bytes, at, end);
      case OSC:
      case STRING:
        return this.#string(bytes, at, end);
      case ESCAPE:
        return this.#escape(bytes[at] ?? 0, at);
      default:
        return this.#control(bytes[at] ?? 0, at);
    }
  }

  #ground(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    while (at < end && this.#state === GROUND) {
      const first = at;
      let byte = bytes[at] ?? 0;
      while (byte >= 0x20 && byte < DEL) {
        at += 1;
        if (at === end) break;
        byte = bytes[at] ?? 0;
      }
      if (at > first) this.#handler.text(bytes, first, at);
      if (at === end) return at;
      if (byte < 0xc2) {
        at += 1;
        if (byte < 0x20) this.#c0(byte);
        else if (byte !== DEL) this.#handler.character(REPLACEMENT);
      } else {
        at += 1;
        if (this.#lead(byte)) at = this.#character(bytes, at, end);
        else this.#handler.character(REPLACEMENT);
      }
    }
    return at;
  }

  /** The first byte of a character says how many follow, and which values the next may have. */
  #lead(byte: number): boolean {
    if (byte > 0xf4) return false;
    this.#needed = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#code = byte & (0x3f >> this.#needed);
    this.#lower = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#upper = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    this.#state = CHARACTER;
    return true;
  }

  #character(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    for (; this.#needed > 0; this.#needed -= 1) {
      if (at === end) return at;
      const byte = bytes[at] ?? 0;
      if (byte < this.#lower || byte > this.#upper) {
        // The byte is looked at again: it may begin something.
        this.#state = GROUND;
        this.#handler.character(REPLACEMENT);
        return at;
      }
      this.#code = (this.#code << 6) | (byte & 0x3f);
      this.#lower = 0x80;
      this.#upper = 0xbf;
      at += 1;
    }
    this.#state = GROUND;
    if (this.#code < 0xa0) this.#c1(this.#code);
    else this.#handler.character(this.#code);
    return at;
  }

  #c0(byte: number): void {
    if (byte === ESC) {
      this.#intermediate = 0;
      this.#state = ESCAPE;
    } else if (byte === CAN || byte === SUB) {
      this.#state = GROUND;
    } else {
      this.#handler.control(byte);
    }
  }

  #c1(code: number): void {
    if (!this.#opens(code)) this.#handler.control(code);
  }

  /** Whether the C1 control opens a sequence or string, or closes one. */
  #opens(code: number): boolean {
    switch (code) {
      case 0x9b:
        this.#sequence.clear();
        this.#state = CSI;
        return true;
      case 0x90:
        this.#sequence.clear();
        this.#state = DCS;
        return true;
      case 0x9d:
        this.#body.clear();
        this.#openString(OSC);
        return true;
      case 0x98:
      case 0x9e:
      case 0x9f:
        this.#openString(STRING);
        return true;
      default:
        return code === ST;
    }
  }

  #openString(state: number): void {
    this.#endsInC2 = false;
    this.#state = state;
    this.#handler.string?.(state === OSC);
  }

  #escape(byte: number, at: number): number {
    if (byte < 0x20) {
      this.#c0(byte);
    } else if (byte < 0x30) {
      this.#intermediate = this.#intermediate === 0 ? byte : -1;
    } else if (byte >= 0x80) {
      this.#state = GROUND;
      return at;
    } else if (byte !== DEL) {
      this.#state = GROUND;
      const isC1 = this.#intermediate === 0 && byte >= 0x40 && byte < 0x60;
      // ESC and a byte from @ to _ is how a C1 control is written in seven bits.
      if (!isC1 || !this.#opens(byte + 0x40)) this.#handler.escape(byte, this.#intermediate);
    }
    return at + 1;
  }

  /** Inside a control sequence or the head of a device control string. */
  #control(byte: number, at: number): number {
    if (byte < 0x20) {
      this.#c0(byte);
    } else if (byte >= 0x80) {
      this.#state = GROUND;
      return at;
    } else if (byte >= 0x40 && byte !== DEL) {
      this.#final(byte);
    } else if (byte !== DEL && this.#state !== CSI_IGNORED && !this.#takes(byte)) {
      if (this.#state === DCS) this.#openString(STRING);
      else this.#state = CSI_IGNORED;
    }
    return at + 1;
  }

  /** Whether the byte may stand where it does in a sequence: a prefix first, then parameters, then intermediates. */
  #takes(byte: number): boolean {
    const sequence = this.#sequence;
    if (byte < 0x30) {
      sequence.takeIntermediate(byte);
    } else if (sequence.intermediate !== 0) {
      return false;
    } else if (byte < 0x3c) {
      sequence.takeParameter(byte);
    } else if (sequence.isEmpty) {
      sequence.prefix = byte;
    } else {
      return false;
    }
    return true;
  }

  #final(byte: number): void {
    const state = this.#state;
    if (state === DCS) this.#openString(STRING);
    else this.#state = GROUND;
    if (state === CSI_IGNORED) return;
    this.#sequence.final = byte;
    if (state === DCS) this.#handler.dcs(this.#sequence);
    else this.#handler.csi(this.#sequence);
  }

  #string(bytes: Uint8Array, start: number, end: number): number {
    const endsByBel = this.#state === OSC;
    let before = this.#endsInC2 ? 0xc2 : 0;
    let at = start;
    for (; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === ESC || byte === CAN || byte === SUB || (byte === BEL && endsByBel)) break;
      if (byte === ST && before === 0xc2) break;
      before = byte;
    }
    this.#handler.piece?.(bytes, start, at);
    if (endsByBel && this.#handler.osc !== undefined) this.#body.append(bytes, start, at);
    this.#endsInC2 = before === 0xc2;
    if (at === end) return at;
    this.#close(bytes[at] ?? 0);
    return at + 1;
  }

  /** ESC ends a string as well as its own terminator, of which it is the first half. */
  #close(byte: number): void {
    const isCommand = this.#state === OSC && byte !== CAN && byte !== SUB;
    this.#state = GROUND;
    if (byte === ESC) this.#c0(byte);
    // The terminator in UTF-8 has two bytes, and the first went into the body.
    if (isCommand) this.#handler.osc?.(this.#body.take(byte === ST ? 1 : 0));
  }
}
