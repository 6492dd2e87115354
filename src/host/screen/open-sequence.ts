import type { Inside } from "./internals.ts";
import { OPEN_SEQUENCE_BYTES } from "./limits.ts";

const ESC = 0x1b;
/** The lead byte of C1 controls in UTF-8, and those that begin a sequence: DCS, SOS, CSI, OSC, PM, APC. */
const C1_LEAD = 0xc2;
const C1_OPENERS = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);

// States of xterm.js' parser.
const GROUND = 0;
const OSC_STRING = 8;
const DCS_ENTRY = 9;
const SOS_PM_APC_STRING = 7;

const encoder = new TextEncoder();
const OPENERS = {
  /** A number that means nothing to anybody. */
  osc: encoder.encode("\x1b]7770;"),
  dcs: encoder.encode("\x1bP~"),
  other: encoder.encode("\x1b^"),
  csi: encoder.encode("\x1b[<"),
};
const NONE = new Uint8Array(0);

/** The beginning of a sequence or a character that output so far has left open. A viewer that is shown the screen now
 * has to get it before the output that goes on with it. */
export class OpenSequence {
  #bytes: Uint8Array<ArrayBufferLike> = NONE;
  /** How the string is opened for a viewer, when the true beginning has become too long to keep. */
  #opener: Uint8Array | undefined;

  /** Notes what the parser just took. */
  after(taken: Uint8Array, { _inputHandler: input }: Inside): void {
    const state = input._parser.currentState;
    if (state === GROUND) {
      this.#opener = undefined;
      // The bytes of a character that has not come whole; there are none in most cases.
      this.#bytes =
        input._utf8Decoder.interim[0] === 0 ? NONE : input._utf8Decoder.interim.filter(Boolean);
      return;
    }
    const known = this.#opener ? NONE : this.#bytes;
    const all = known.length === 0 ? taken : joined(known, taken);
    const start = lastOpener(all);
    if (start < 0 && this.#opener) return;
    this.#opener = undefined;
    const bytes = start < 0 ? all : all.subarray(start);
    if (bytes.length <= OPEN_SEQUENCE_BYTES) {
      // Controls within a sequence have had their effect. The parser's own bytes change under us, so they are copied.
      this.#bytes = bytes.filter((byte, at) => byte >= 0x20 || (at === 0 && byte === ESC));
      return;
    }
    this.#bytes = NONE;
    this.#opener = openerOf(state);
  }

  get isNone(): boolean {
    return this.bytes.length === 0;
  }

  get bytes(): Uint8Array {
    return this.#opener ?? this.#bytes;
  }
}

function openerOf(state: number): Uint8Array {
  if (state === OSC_STRING) return OPENERS.osc;
  if (state === SOS_PM_APC_STRING) return OPENERS.other;
  return state >= DCS_ENTRY ? OPENERS.dcs : OPENERS.csi;
}

/** Where the last sequence begins: whatever begins one ends the one before. Below 0 where none does. */
function lastOpener(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const byte = bytes[at] ?? 0;
    if (byte === ESC) return at;
    if (C1_OPENERS.has(byte) && bytes[at - 1] === C1_LEAD) return at - 1;
  }
  return -1;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
