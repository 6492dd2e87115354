import { Batch } from "./batch.ts";
import type { CellScreen } from "./cell-screen.ts";
import type { Order, Question, Reply } from "./messages.ts";
import type { Screen } from "./screen.ts";
import type { Capture, CaptureOptions, Snapshot } from "./shown.ts";
import type { Theme } from "./theme.ts";

/** What a handle needs of the worker. */
export interface Link {
  send(order: Order, transfer: ArrayBuffer[]): void;
  ask(id: number, question: Question): Promise<Reply>;
  /** Has what waits sent soon. */
  flushLater(id: number): void;
  /** Memory for a batch of a flood, of `FLOOD_ROOM`. */
  spare(): ArrayBuffer;
  close(id: number): void;
}

/** A screen in the worker, as the main thread has it. */
export class Handle implements Screen {
  readonly id: number;
  readonly #link: Link;
  readonly #batch: Batch;
  #isBatchPast = false;
  #unparsed = 0;
  #isClosed = false;
  size: { readonly cols: number; readonly rows: number };
  theme: Theme;
  /** Bytes fed in all. */
  fed = 0;

  constructor(
    id: number,
    link: Link,
    { size, theme }: { size: { cols: number; rows: number }; theme: Theme },
  ) {
    this.id = id;
    this.#link = link;
    this.#batch = new Batch(() => link.spare());
    this.size = size;
    this.theme = theme;
  }

  get backlog(): number {
    return this.#unparsed;
  }

  feed(bytes: Uint8Array, isPast = false): void {
    if (this.#isClosed || bytes.length === 0) return;
    if (isPast !== this.#isBatchPast) this.flush();
    this.#isBatchPast = isPast;
    const isFirst = this.#batch.length === 0;
    this.#batch.add(bytes);
    this.#unparsed += bytes.length;
    this.fed += bytes.length;
    if (this.#batch.isFull) this.flush();
    else if (isFirst) this.#link.flushLater(this.id);
  }

  /** Sends what waits. */
  flush(): void {
    if (this.#batch.length === 0 || this.#isClosed) return;
    const bytes = this.#batch.take();
    this.#link.send({ op: "feed", id: this.id, bytes, isPast: this.#isBatchPast }, [bytes.buffer]);
  }

  /** The worker has parsed so many bytes more. */
  parsed(bytes: number): void {
    this.#unparsed = Math.max(0, this.#unparsed - bytes);
  }

  /** The worker is lost with what it had: it is fed anew, with what the owner still has. */
  restart(bytes: number): void {
    this.#batch.clear();
    this.#unparsed = bytes;
  }

  resize(cols: number, rows: number): void {
    if (this.#isClosed || (cols === this.size.cols && rows === this.size.rows)) return;
    if (!(Number.isInteger(cols) && Number.isInteger(rows) && cols >= 2 && rows >= 1)) {
      throw new RangeError(
        `A screen has whole numbers of columns, 2 at least, and rows, 1 at least: got ${cols}x${rows}`,
      );
    }
    this.flush();
    this.size = { cols, rows };
    this.#link.send({ op: "resize", id: this.id, cols, rows }, []);
  }

  setTheme(theme: Theme): void {
    if (this.#isClosed) return;
    this.flush();
    this.theme = theme;
    this.#link.send({ op: "theme", id: this.id, theme }, []);
  }

  async snapshot({ history = 0 }: { readonly history?: number } = {}) {
    const { bytes, end }: Snapshot = await this.#ask({ kind: "snapshot", history }, isSnapshot);
    return { bytes: bufferOf(bytes), end };
  }

  async history({ from, count }: { readonly from: number; readonly count: number }) {
    return bufferOf(await this.#ask({ kind: "history", from, count }, isBytes));
  }

  capture(options: CaptureOptions): Promise<Capture> {
    return this.#ask({ kind: "capture", options }, isCapture);
  }

  cells(maxBytes: number): Promise<CellScreen> {
    return this.#ask({ kind: "cells", maxBytes }, isCellScreen);
  }

  async freeze(): Promise<void> {
    if (this.#isClosed || this.#unparsed > 0) return;
    await this.#ask({ kind: "freeze" }, (reply) => reply === undefined);
  }

  dispose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#batch.clear();
    this.#unparsed = 0;
    this.#link.close(this.id);
  }

  async #ask<R extends Reply>(
    question: Question,
    isReply: (reply: Reply) => reply is R,
  ): Promise<R> {
    if (this.#isClosed) throw new Error("The screen is closed");
    this.flush();
    const reply = await this.#link.ask(this.id, question);
    if (!isReply(reply)) throw new Error(`The worker's reply is no ${question.kind}`);
    return reply;
  }
}

const isBytes = (reply: Reply): reply is Uint8Array<ArrayBuffer> => reply instanceof Uint8Array;
const isSnapshot = (reply: Reply): reply is Snapshot => reply !== undefined && "end" in reply;
const isCellScreen = (reply: Reply): reply is CellScreen =>
  reply !== undefined && "styles" in reply;
const isCapture = (reply: Reply): reply is Capture => reply !== undefined && "alternate" in reply;

const bufferOf = (bytes: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
