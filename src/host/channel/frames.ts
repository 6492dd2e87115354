import type { Socket } from "node:net";
import { FrameBody } from "../frame-body.ts";
import { hasMoreParts } from "../json-parts.ts";
import { MAX_FRAME } from "./limits.ts";

/** A frame: four bytes that say how long the rest is (big-endian), one that says its kind, and the body. */
const LENGTH_BYTES = 4;
const HEADER_BYTES = 5;

const JSON_KIND = 0;
const BYTES_KIND = 1;

/** How much room a body that comes in pieces gets at first. Most are no longer. */
const FIRST_ROOM = 64 * 1024;

/** Up to this size nobody asks how many values JSON has: the worst is parsed in a few milliseconds. */
const QUICK_JSON = 32 * 1024;

/** What came is no frame. The connection has to end: where the next one begins cannot be known. */
export class CorruptFrame extends Error {
  override readonly name = "CorruptFrame";
}

/** Stands for a frame of JSON that was not read because of its size. */
export class UnreadFrame {
  /** How long its body is. */
  readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = bytes;
  }
}

export interface FrameReaderOptions {
  /** Gives a body of bytes in pieces as they come, without waiting for its end: neither held nor copied. Default
   * false. */
  readonly pieces?: boolean;
  /** The largest JSON that is read, in bytes, and the most values in it; a larger frame is passed over and given as an
   * UnreadFrame. Default: whatever a frame may be. */
  readonly maxJsonBytes?: number;
  readonly maxJsonParts?: number;
}

/** How long a frame with so many bytes in it is. */
export const frameLength = (bytes: number): number => HEADER_BYTES + bytes;

/** A message as a frame: an object as JSON, bytes as they are. Throws a RangeError where it is longer than a frame may
 * be. */
export function encodeFrame(message: object | Uint8Array): Buffer {
  if (message instanceof Uint8Array) return encodeBytes(message, Buffer.allocUnsafe);
  const text = JSON.stringify(message);
  const frame = begin(JSON_KIND, Buffer.byteLength(text), Buffer.allocUnsafe);
  frame.write(text, HEADER_BYTES);
  return frame;
}

/** Bytes as a frame, in memory of that length which is given for it. */
export function encodeBytes(bytes: Uint8Array, memory: (length: number) => Buffer): Buffer {
  const frame = begin(BYTES_KIND, bytes.length, memory);
  frame.set(bytes, HEADER_BYTES);
  return frame;
}

function begin(kind: number, bodyBytes: number, memory: (length: number) => Buffer): Buffer {
  const length = 1 + bodyBytes;
  if (length > MAX_FRAME) {
    throw new RangeError(`a frame must be at most ${MAX_FRAME} bytes long, got ${length}`);
  }
  const frame = memory(frameLength(bodyBytes));
  frame.writeUInt32BE(length, 0);
  frame[LENGTH_BYTES] = kind;
  return frame;
}

/** Makes frames of a stream that comes cut anywhere. */
export class FrameReader {
  readonly #pieces: boolean;
  readonly #maxJsonBytes: number;
  readonly #maxJsonParts: number;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  /** How much of the body has yet to come. */
  #left = 0;
  readonly #body = new FrameBody(FIRST_ROOM);
  #corrupt: CorruptFrame | undefined;

  constructor(options: FrameReaderOptions = {}) {
    this.#pieces = options.pieces ?? false;
    this.#maxJsonBytes = options.maxJsonBytes ?? MAX_FRAME;
    this.#maxJsonParts = options.maxJsonParts ?? Number.POSITIVE_INFINITY;
  }

  /** Takes in what came and gives the frames that it completes, one at a time as they are asked for: bytes as
   * `Uint8Array`, which may be views of the chunk, anything else as parsed. Throws a CorruptFrame, and again ever after.
   * A chunk is used up by a loop over all of it. */
  *push(chunk: Uint8Array): Generator<unknown, void, void> {
    if (this.#corrupt !== undefined) throw this.#corrupt;
    let at = 0;
    for (;;) {
      at += this.#takeHeader(chunk, at);
      if (this.#headerBytes < HEADER_BYTES) return;
      const piece = chunk.subarray(at, at + this.#left);
      at += piece.length;
      this.#left -= piece.length;
      const isWhole = this.#left === 0;
      const kind = this.#header[LENGTH_BYTES];
      if (isWhole) this.#headerBytes = 0;
      if (kind === BYTES_KIND && this.#pieces) {
        if (piece.length > 0) yield plain(piece);
      } else if (kind === BYTES_KIND || this.#isRead) {
        const body = this.#body.take(piece, this.#bodyLength);
        if (body !== undefined) yield kind === BYTES_KIND ? plain(body) : this.#parse(body);
      } else if (isWhole) {
        // A kind is looked at when its frame is there, so that every reader gives up at the same byte.
        if (kind !== JSON_KIND) throw this.#fail(`a frame's kind must be 0 or 1, got ${kind}`);
        yield new UnreadFrame(this.#bodyLength);
      }
      if (!isWhole) return;
    }
  }

  get #bodyLength(): number {
    return this.#header.readUInt32BE(0) - 1;
  }

  get #isRead(): boolean {
    return this.#header[LENGTH_BYTES] === JSON_KIND && this.#bodyLength <= this.#maxJsonBytes;
  }

  /** Answers how many bytes it took. The length is looked at as soon as it is there. */
  #takeHeader(chunk: Uint8Array, at: number): number {
    const before = this.#headerBytes;
    if (before === HEADER_BYTES) return 0;
    const part = chunk.subarray(at, at + HEADER_BYTES - before);
    this.#header.set(part, before);
    this.#headerBytes += part.length;
    if (this.#headerBytes < LENGTH_BYTES) return part.length;
    const length = this.#header.readUInt32BE(0);
    if (length < 1 || length > MAX_FRAME) {
      throw this.#fail(`a frame's length must be from 1 to ${MAX_FRAME}, got ${length}`);
    }
    this.#left = length - 1;
    return part.length;
  }

  #parse(body: Uint8Array): unknown {
    if (body.length > QUICK_JSON && hasMoreParts(body, this.#maxJsonParts)) {
      return new UnreadFrame(body.length);
    }
    const { buffer, byteOffset, length } = body;
    try {
      return JSON.parse(Buffer.from(buffer, byteOffset, length).toString("utf8"));
    } catch {
      throw this.#fail(`a frame of kind 0 must be JSON, got ${length} bytes that are not`);
    }
  }

  #fail(why: string): CorruptFrame {
    this.#corrupt = new CorruptFrame(why);
    return this.#corrupt;
  }
}

/** Bytes without what Node adds to them, as a program expects that knows the dialect from its text. */
function plain({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

/** Reads frames from a socket: bytes as `Uint8Array`, anything else as parsed. A corrupt one destroys the socket with
 * the error. */
export function readFrames(socket: Socket, onFrame: (frame: unknown | Uint8Array) => void): void {
  const reader = new FrameReader();
  socket.on("data", (chunk: Buffer) => {
    try {
      for (const frame of reader.push(chunk)) {
        // Whoever is given a frame may have done with the connection.
        if (socket.destroyed) return;
        onFrame(frame);
      }
    } catch (error) {
      if (!(error instanceof CorruptFrame)) throw error;
      socket.destroy(error);
    }
  });
}
