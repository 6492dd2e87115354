import { FrameBody } from "../frame-body.ts";
import { hasMoreParts } from "../json-parts.ts";
import { ProtocolError } from "./errors.ts";
import { parseExact } from "./exact-json.ts";
import { MAXIMUM_FRAME_BYTES } from "./limits.ts";

/** A frame: four bytes that say how long the rest is (big-endian), and JSON. */
const LENGTH_BYTES = 4;

/** How much room a payload that comes in pieces gets at first. */
const FIRST_ROOM = 16 * 1024;

/** A message as a frame. Throws a ProtocolError where it is no JSON, or longer than a frame may be. */
export function encodeFrame(message: unknown): Buffer {
  const text = jsonOf(message);
  const length = Buffer.byteLength(text);
  requireSize(length);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + length);
  frame.writeUInt32BE(length, 0);
  frame.write(text, LENGTH_BYTES);
  return frame;
}

/** Makes messages of a stream that comes cut anywhere. Whole numbers from 2^53 on are bigints in them. */
export class FrameReader {
  readonly #maxParts: number;
  readonly #header = Buffer.alloc(LENGTH_BYTES);
  #headerBytes = 0;
  readonly #payload = new FrameBody(FIRST_ROOM);
  #error: ProtocolError | undefined;

  /** `maxParts`: the most values in one message. Default: as many as fit. */
  constructor({ maxParts = Number.POSITIVE_INFINITY }: { readonly maxParts?: number } = {}) {
    this.#maxParts = maxParts;
  }

  /** Takes in what came and gives the messages that it completes, one at a time as they are asked for. Throws a
   * ProtocolError, and again ever after. A chunk is used up by a loop over all of it. */
  *push(chunk: Uint8Array): Generator<unknown, void, void> {
    if (this.#error !== undefined) throw this.#error;
    for (let at = 0; at < chunk.length; ) {
      at += this.#takeHeader(chunk, at);
      if (this.#headerBytes < LENGTH_BYTES) return;
      const length = this.#length;
      const piece = chunk.subarray(at, at + length - this.#payload.filled);
      at += piece.length;
      const payload = this.#payload.take(piece, length);
      if (payload === undefined) return;
      this.#headerBytes = 0;
      yield this.#parse(payload);
    }
  }

  get #length(): number {
    return this.#header.readUInt32BE(0);
  }

  /** Answers how many bytes it took. The length is looked at as soon as it is there. */
  #takeHeader(chunk: Uint8Array, at: number): number {
    const before = this.#headerBytes;
    const part = chunk.subarray(at, at + LENGTH_BYTES - before);
    if (part.length === 0) return 0;
    this.#header.set(part, before);
    this.#headerBytes += part.length;
    if (this.#headerBytes === LENGTH_BYTES) this.#guard(() => requireSize(this.#length));
    return part.length;
  }

  #parse(payload: Uint8Array): unknown {
    return this.#guard(() => {
      if (hasMoreParts(payload, this.#maxParts)) {
        throw new ProtocolError("decode", `a request must hold at most ${this.#maxParts} values`);
      }
      try {
        return parseExact(payload);
      } catch (cause) {
        if (cause instanceof ProtocolError) throw cause;
        const why = `a frame must hold JSON, got ${payload.length} bytes that are none`;
        throw new ProtocolError("decode", why, cause);
      }
    });
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof ProtocolError) this.#error = error;
      throw error;
    }
  }
}

function jsonOf(message: unknown): string {
  try {
    const text: unknown = JSON.stringify(message);
    if (typeof text === "string") return text;
  } catch (cause) {
    throw new ProtocolError("encode", "the message cannot be made JSON", cause);
  }
  throw new ProtocolError("encode", `the message cannot be made JSON, got ${typeof message}`);
}

function requireSize(length: number): void {
  if (length >= 1 && length <= MAXIMUM_FRAME_BYTES) return;
  throw new ProtocolError(
    "frame_size",
    `a frame must hold from 1 to ${MAXIMUM_FRAME_BYTES} bytes, got ${length}`,
  );
}
