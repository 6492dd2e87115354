import { Buffer } from "node:buffer";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../../files/reason.ts";
import type { SessionPlaces } from "./places.ts";

const ESC = 0x1b;
const NOTHING = Buffer.alloc(0);

/** How much is read before others get their turn, in bytes. */
const SLICE_BYTES = 16 * 1024;

/** Where all of them read to, one at a time. */
const scratch = Buffer.allocUnsafeSlow(SLICE_BYTES);

export interface LogEvents {
  /** Valid within the call. */
  data(bytes: Buffer): void;
  /** So many bytes were no longer kept when they were to be read. */
  missed(bytes: number): void;
}

/** Reads the output of a session from an offset on, as it grows. */
export class LogReader {
  readonly #places: SessionPlaces;
  readonly #events: LogEvents;
  #part: { readonly descriptor: number; readonly start: number } | undefined;
  /** Absolute offset of what is read next. */
  #at: number;
  #turn: NodeJS.Immediate | undefined;
  #isPaused = false;
  #isClosed = false;
  #finished: (() => void) | undefined;
  readonly #mark: Buffer;
  #isMarked = false;
  /** Read, and perhaps the beginning of the mark. */
  #held = NOTHING;

  /** `mark`: what stands behind the last of the output. */
  constructor(
    places: SessionPlaces,
    { start, mark }: { readonly start: number; readonly mark: Buffer },
    events: LogEvents,
  ) {
    this.#places = places;
    this.#at = start;
    this.#mark = mark;
    this.#events = events;
  }

  /** Whether all output has been read. */
  get isMarked(): boolean {
    return this.#isMarked;
  }

  /** There may be more. */
  wake(): void {
    if (this.#isPaused || this.#isClosed) return;
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#read();
    });
  }

  pause(): void {
    if (this.#finished === undefined) this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.wake();
  }

  /** All output is there: reads the rest, whether paused or not, and tells when that is done. */
  finish(finished: () => void): void {
    this.#finished = finished;
    this.resume();
  }

  /** Nothing is told afterwards. */
  close(): void {
    this.#isClosed = true;
    if (this.#turn !== undefined) clearImmediate(this.#turn);
    this.#leave();
  }

  #read(): void {
    if (this.#isPaused || this.#isClosed) return;
    if (this.#readOn()) {
      this.wake();
      return;
    }
    const finished = this.#finished;
    if (finished === undefined) return;
    if (this.#held.length > 0) this.#events.data(this.#held);
    this.close();
    finished();
  }

  /** Whether there was something, or may be in the next part. What the system cannot read is not there. */
  #readOn(): boolean {
    if (this.#isMarked) return false;
    let bytes: Buffer;
    try {
      bytes = scratch.subarray(0, this.#take());
      if (bytes.length === 0) return this.#goOn();
    } catch {
      return false;
    }
    this.#at += bytes.length;
    this.#tell(this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]));
    return true;
  }

  /** Without the mark. What may be the beginning of it is held back until more is there. */
  #tell(bytes: Buffer): void {
    const place = bytes.indexOf(this.#mark);
    this.#isMarked = place >= 0;
    const end = this.#isMarked ? place : this.#beginning(bytes);
    this.#held = this.#isMarked ? NOTHING : Buffer.from(bytes.subarray(end));
    if (end > 0) this.#events.data(bytes.subarray(0, end));
  }

  /** Where the mark may begin that is not whole yet; else the end. */
  #beginning(bytes: Buffer): number {
    const least = Math.max(0, bytes.length - this.#mark.length + 1);
    for (let at = bytes.indexOf(ESC, least); at >= 0; at = bytes.indexOf(ESC, at + 1)) {
      const rest = bytes.subarray(at);
      if (rest.equals(this.#mark.subarray(0, rest.length))) return at;
    }
    return bytes.length;
  }

  /** The next bytes of the part that is open. */
  #take(): number {
    if (this.#part === undefined) return 0;
    const { descriptor, start } = this.#part;
    return readSync(descriptor, scratch, 0, scratch.length, this.#at - start);
  }

  /** Goes to the part after this one. False where there is none yet. A part that is there no more says that others may be
   * missing as well. */
  #goOn(): boolean {
    const isFirst = this.#part === undefined;
    if (this.#part?.start !== this.#at && this.#open(this.#at)) return true;
    if (this.#part !== undefined && fstatSync(this.#part.descriptor).nlink > 0) return false;
    const parts = this.#places.parts();
    // To begin with, the offset may be within a part.
    const next = isFirst
      ? (parts.findLast((start) => start <= this.#at) ?? parts[0])
      : parts.find((start) => start > this.#at);
    if (next === undefined || !this.#open(next)) return false;
    if (next > this.#at) {
      const missed = next - this.#at;
      this.#at = next;
      this.#held = NOTHING;
      this.#events.missed(missed);
    }
    return true;
  }

  #open(start: number): boolean {
    try {
      const descriptor = openSync(this.#places.part(start), "r");
      this.#leave();
      this.#part = { descriptor, start };
      return true;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    }
  }

  #leave(): void {
    if (this.#part !== undefined) closeSync(this.#part.descriptor);
    this.#part = undefined;
  }
}
