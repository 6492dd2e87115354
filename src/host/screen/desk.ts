import type { Clock } from "../../time/clock.ts";
import { FLOOD_ROOM } from "./batch.ts";
import { Collecting } from "./collecting.ts";
import { LineMemory } from "./line-memory.ts";
import { AT_SCREEN, type Order, PIECES, type Reply, type Report } from "./messages.ts";
import { Model } from "./model.ts";

/** How long the screens are worked on before messages are looked at again, in milliseconds. */
const TURN_MS = 8;
/** The most bytes parsed at once, which also bounds the parser's own buffer of four times as many. */
const PIECE_MOST = 8 * 1024;
/** The fewest, for output that takes long: another screen waits for no more. */
const PIECE_LEAST = 128;
/** A piece that takes longer halves the next one of its screen, in milliseconds; one that takes a quarter doubles it. */
const PIECE_MS = 2;

/** How much has to wait of one screen before it is looked whether all of it needs to be parsed; how much less that has to
 * save; and how much is parsed before the next look where it saves nothing; in bytes. */
const SKIM_FROM = 128 * 1024;
const SKIM_LEAST = 32 * 1024;
const SKIM_AGAIN = 64 * 1024;

type Work = Exclude<Order, { op: "open" | "dispose" }>;
type Feed = Extract<Work, { op: "feed" }>;

interface Place {
  readonly model: Model;
  readonly lines: LineMemory;
  readonly queue: Work[];
  /** How many bytes of the first in the queue are parsed. */
  done: number;
  piece: number;
  /** How much is parsed before it is skimmed, in bytes. */
  unskimmed: number;
  /** Whether it waits for its turn. */
  isQueued: boolean;
}

const encoder = new TextEncoder();

/** Works on many screens in turn, a small piece of each, so that no flood keeps the others waiting. */
export class Desk {
  readonly #clock: Clock;
  readonly #progress: Int32Array;
  readonly #report: (report: Report, transfer: ArrayBuffer[]) => void;
  /** Has the next turn come after messages were looked at. */
  readonly #soon: (turn: () => void) => void;
  readonly #places = new Map<number, Place>();
  readonly #collecting: Collecting;
  #line: number[] = [];
  #parsed = new Map<number, number>();
  #spares: ArrayBuffer[] = [];
  #isComing = false;

  constructor(options: {
    clock: Clock;
    progress: SharedArrayBuffer;
    report(report: Report, transfer: ArrayBuffer[]): void;
    soon(turn: () => void): void;
  }) {
    this.#clock = options.clock;
    this.#progress = new Int32Array(options.progress);
    this.#report = options.report;
    this.#soon = options.soon;
    this.#collecting = new Collecting(options.clock);
  }

  take(order: Order): void {
    const place = this.#places.get(order.id);
    if (order.op === "open") {
      const model = new Model(order.options);
      const piece = PIECE_MOST / 4;
      const lines = new LineMemory(order.options.scrollback);
      this.#places.set(order.id, {
        model,
        lines,
        queue: [],
        done: 0,
        piece,
        unskimmed: 0,
        isQueued: false,
      });
      return;
    }
    if (order.op === "dispose") {
      place?.model.dispose();
      this.#places.delete(order.id);
      return;
    }
    if (!place) {
      if (order.op === "ask") this.#fail(order.call, "the screen is closed");
      return;
    }
    place.queue.push(order);
    this.#enqueue(order.id, place);
    this.#comeSoon();
  }

  #comeSoon(): void {
    if (this.#isComing) return;
    this.#isComing = true;
    this.#soon(() => {
      this.#isComing = false;
      this.#turn();
    });
  }

  #turn(): void {
    const end = this.#clock.monotonic() + TURN_MS;
    do {
      const id = this.#line.shift();
      if (id === undefined) break;
      const place = this.#places.get(id);
      if (!place) continue;
      place.isQueued = false;
      this.#workOn(id, place);
      if (place.queue.length > 0) this.#enqueue(id, place);
    } while (this.#clock.monotonic() < end);
    this.#tellParsed();
    if (this.#line.length > 0) this.#comeSoon();
  }

  #enqueue(id: number, place: Place): void {
    if (place.isQueued) return;
    place.isQueued = true;
    this.#line.push(id);
  }

  #workOn(id: number, place: Place): void {
    const [work] = place.queue;
    if (!work) return;
    Atomics.store(this.#progress, AT_SCREEN, id);
    this.#do(id, place, work);
    Atomics.store(this.#progress, AT_SCREEN, 0);
    Atomics.add(this.#progress, PIECES, 1);
    const answers = place.model.takeAnswers();
    if (answers === "") return;
    const bytes = encoder.encode(answers);
    this.#report({ op: "answer", id, bytes }, [bytes.buffer]);
  }

  #do(id: number, place: Place, work: Work): void {
    if (work.op === "feed") {
      const passed = this.#skim(place) || this.#parse(place, work);
      this.#parsed.set(id, (this.#parsed.get(id) ?? 0) + passed);
      for (const { buffer } of pass(place, passed)) {
        if (buffer.byteLength === FLOOD_ROOM) this.#spares.push(buffer);
      }
      return;
    }
    place.queue.shift();
    if (work.op === "ask") {
      this.#answer(place.model, work);
      if (work.question.kind === "freeze") this.#frozen(place);
    } else if (work.op === "resize") {
      place.lines.leave();
      place.model.resize(work.cols, work.rows);
    } else {
      place.model.setTheme(work.theme);
    }
  }

  /** Answers how many bytes need no parsing, for what comes after them. */
  #skim(place: Place): number {
    if (place.unskimmed > 0) return 0;
    const waiting = waitingOutput(place);
    if (waiting === undefined) return 0;
    const skimmed = place.model.skim(waiting, SKIM_LEAST);
    if (skimmed === 0) place.unskimmed = SKIM_AGAIN;
    return skimmed;
  }

  /** Answers how many bytes it has parsed. */
  #parse(place: Place, { bytes, isPast }: Feed): number {
    const piece = bytes.subarray(place.done, place.done + place.piece);
    const from = this.#clock.monotonic();
    place.model.feed(piece, isPast);
    place.lines.settle(place.model.inside);
    const took = this.#clock.monotonic() - from;
    if (took > PIECE_MS) place.piece = Math.max(PIECE_LEAST, place.piece / 2);
    else if (took < PIECE_MS / 4) place.piece = Math.min(PIECE_MOST, place.piece * 2);
    place.unskimmed -= piece.length;
    return piece.length;
  }

  #frozen({ model, lines }: Place): void {
    if (!model.isFrozen) return;
    lines.forget();
    this.#collecting.look();
  }

  #answer(model: Model, { call, question }: Extract<Work, { op: "ask" }>): void {
    try {
      const reply = replyTo(model, question);
      const bytes = reply instanceof Uint8Array ? reply : reply && "bytes" in reply && reply.bytes;
      // What was parsed before the reply is known before it.
      this.#tellParsed();
      this.#report({ op: "reply", call, reply }, bytes ? [bytes.buffer] : []);
    } catch (error) {
      this.#fail(call, error instanceof Error ? error.message : String(error));
    }
  }

  #fail(call: number, reason: string): void {
    this.#report({ op: "failed", call, reason }, []);
  }

  #tellParsed(): void {
    if (this.#parsed.size === 0) return;
    const counts = [...this.#parsed];
    const spares = this.#spares;
    this.#parsed = new Map();
    this.#spares = [];
    this.#report({ op: "parsed", counts, spares }, spares);
  }
}

/** The output that stands first in the queue, as one; undefined where it is less than what is skimmed. */
function waitingOutput({ queue, done }: Place): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  let length = -done;
  for (const work of queue) {
    if (work.op !== "feed") break;
    pieces.push(work.bytes);
    length += work.bytes.length;
  }
  if (length < SKIM_FROM) return undefined;
  const all = new Uint8Array(length + done);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all.subarray(done);
}

/** So many bytes of the output that stands first have been dealt with. Answers what is needed no more. */
function pass(place: Place, bytes: number): Uint8Array<ArrayBuffer>[] {
  const passed: Uint8Array<ArrayBuffer>[] = [];
  place.done += bytes;
  for (let [first] = place.queue; first?.op === "feed"; [first] = place.queue) {
    if (place.done < first.bytes.length) break;
    place.done -= first.bytes.length;
    passed.push(first.bytes);
    place.queue.shift();
  }
  return passed;
}

function replyTo(model: Model, question: Extract<Work, { op: "ask" }>["question"]): Reply {
  switch (question.kind) {
    case "snapshot":
      return model.snapshot(question.history);
    case "history":
      return model.history(question.from, question.count);
    case "capture":
      return model.capture(question.options);
    case "cells":
      return model.cells(question.maxBytes);
    case "freeze":
      model.freeze();
      return undefined;
  }
}
