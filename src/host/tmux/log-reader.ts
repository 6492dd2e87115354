import { Buffer } from "node:buffer";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../../files/reason.ts";
import type { SessionPlaces } from "./places.ts";

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

  constructor(places: SessionPlaces, start: number, events: LogEvents) {
    this.#places = places;
    this.#at = start;
    this.#events = events;
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
    this.close();
    finished();
  }

  /** Whether there was something, or may be in the next part. What the system cannot read is not there. */
  #readOn(): boolean {
    let length: number;
    try {
      length = this.#take();
      if (length === 0) return this.#goOn();
    } catch {
      return false;
    }
    this.#at += length;
    this.#events.data(scratch.subarray(0, length));
    return true;
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
