import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";

/** A text that nobody else can have written: an application program command (ECMA-48, APC) with 128 random bits. It has
 * neither lower-case letters nor line ends, so no setting of a terminal changes it on its way. */
export function randomMarker(): Buffer {
  return Buffer.from(`\x1b_${randomBytes(16).toString("hex").toUpperCase()}\x1b\\`, "latin1");
}

const NOTHING = Buffer.alloc(0);

/** Finds a marker in a stream and takes it out, also where it comes in pieces. */
export class MarkerFilter {
  readonly #marker: Buffer;
  /** The end of the stream so far, where the marker may have begun. */
  #held: Buffer = NOTHING;
  #isFound = false;

  constructor(marker: Buffer) {
    this.#marker = marker;
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  /** What of the stream is certainly not the marker. */
  push(bytes: Buffer): Buffer {
    if (this.#isFound) return bytes;
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const at = all.indexOf(this.#marker);
    if (at >= 0) {
      this.#isFound = true;
      this.#held = NOTHING;
      return Buffer.concat([all.subarray(0, at), all.subarray(at + this.#marker.length)]);
    }
    const begun = this.#begunAtEnd(all);
    this.#held = Buffer.from(all.subarray(all.length - begun));
    return all.subarray(0, all.length - begun);
  }

  /** What was kept back, where the marker does not come any more. */
  rest(): Buffer {
    const rest = this.#held;
    this.#held = NOTHING;
    return rest;
  }

  /** How many bytes at the end are a beginning of the marker. */
  #begunAtEnd(bytes: Buffer): number {
    for (let length = Math.min(bytes.length, this.#marker.length - 1); length > 0; length -= 1) {
      const end = bytes.subarray(bytes.length - length);
      if (end.equals(this.#marker.subarray(0, length))) return length;
    }
    return 0;
  }
}
