import { MAX_PARTS, PART_BYTES } from "./limits.ts";

/** What is written in place of a value that is too long for one message: its parts are under keys of their own, and were
 * written before. */
interface Manifest {
  readonly parts: number;
  /** The parts that belong together have it before them. */
  readonly mark: string;
}

const MANIFEST = "parts ";

/** Of a mark: as much of the epoch as there is room for beside the number of the write. */
const EPOCH_CHARACTERS = 12;
const WRITE_CHARACTERS = 12;
const MARK_BYTES = EPOCH_CHARACTERS + WRITE_CHARACTERS;

/** Which write it is, so that parts of two are not joined. */
export interface Write {
  readonly epoch: string;
  readonly write: number;
}

/** A value cut into pieces that the bus takes. One that is short enough is one piece. */
export interface Pieces {
  readonly parts: readonly Uint8Array[];
  readonly last: Uint8Array;
}

/** Throws a RangeError where it is too long altogether. */
export function cut(bytes: Uint8Array, write: Write, partBytes = PART_BYTES): Pieces {
  if (bytes.length <= partBytes) return { parts: [], last: bytes };
  const count = Math.ceil(bytes.length / partBytes);
  if (count > MAX_PARTS) {
    throw new RangeError(
      `what is stated of one topic must be at most ${MAX_PARTS * partBytes} bytes compressed, it has ${bytes.length}`,
    );
  }
  const number = write.write.toString(36).padStart(WRITE_CHARACTERS, "0");
  const head = Buffer.from(`${write.epoch.slice(0, EPOCH_CHARACTERS)}${number}`);
  const parts = Array.from({ length: count }, (_, index) =>
    Buffer.concat([head, bytes.subarray(index * partBytes, (index + 1) * partBytes)]),
  );
  return { parts, last: Buffer.from(`${MANIFEST}${count} ${head}`) };
}

/** Whether the bytes stand for parts that were written in that epoch; `undefined` where they stand for themselves. */
export function isCutIn(bytes: Uint8Array, epoch: string): boolean | undefined {
  return manifestIn(bytes)?.mark.startsWith(epoch.slice(0, EPOCH_CHARACTERS));
}

/** The parts of one key as they arrive. */
export class Joined {
  readonly #parts = new Map<number, Uint8Array>();

  part(index: number, bytes: Uint8Array): void {
    if (index < MAX_PARTS) this.#parts.set(index, bytes);
  }

  /** The whole value that the bytes under the key itself stand for. `undefined` while parts of it are missing or are of
   * another one: then that one follows. */
  whole(bytes: Uint8Array): Uint8Array | undefined {
    const manifest = manifestIn(bytes);
    if (manifest === undefined) {
      this.#parts.clear();
      return bytes;
    }
    const parts: Uint8Array[] = [];
    for (let index = 0; index < manifest.parts; index += 1) {
      const part = this.#parts.get(index);
      if (part === undefined || markOf(part) !== manifest.mark) return undefined;
      parts.push(part.subarray(MARK_BYTES));
    }
    this.#parts.clear();
    return Buffer.concat(parts);
  }
}

function manifestIn(bytes: Uint8Array): Manifest | undefined {
  if (bytes.length > MANIFEST.length + MARK_BYTES + 8) return undefined;
  const text = Buffer.from(bytes).toString("latin1");
  if (!text.startsWith(MANIFEST)) return undefined;
  const [count = "", ...mark] = text.slice(MANIFEST.length).split(" ");
  const parts = Number(count);
  return parts > 0 && parts <= MAX_PARTS ? { parts, mark: mark.join(" ") } : undefined;
}

const markOf = (part: Uint8Array) => Buffer.from(part.subarray(0, MARK_BYTES)).toString("latin1");
