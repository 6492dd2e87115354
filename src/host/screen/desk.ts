import type { Clock } from "../../time/clock.ts";
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

type Work = Exclude<Order, { op: "open" | "dispose" }>;

interface Place {
  readonly model: Model;
  readonly lines: LineMemory;
  readonly queue: Work[];
  /** How many bytes of the first in the queue are parsed. */
  done: number;
  piece: number;
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
      this.#places.set(order.id, { model, lines, queue: [], done: 0, piece, isQueued: false });
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
    const isDone = this.#do(id, place, work);
    Atomics.store(this.#progress, AT_SCREEN, 0);
    Atomics.add(this.#progress, PIECES, 1);
    if (isDone) place.queue.shift();
    const answers = place.model.takeAnswers();
    if (answers === "") return;
    const bytes = encoder.encode(answers);
    this.#report({ op: "answer", id, bytes }, [bytes.buffer]);
  }

  #do(id: number, place: Place, work: Work): boolean {
    if (work.op === "feed") return this.#parse(id, place, work);
    if (work.op === "ask") {
      this.#answer(place.model, work);
      if (work.question.kind === "freeze") this.#frozen(place);
    } else if (work.op === "resize") {
      place.lines.leave();
      place.model.resize(work.cols, work.rows);
    } else {
      place.model.setTheme(work.theme);
    }
    return true;
  }

  #parse(id: number, place: Place, { bytes, isPast }: Extract<Work, { op: "feed" }>): boolean {
    const piece = bytes.subarray(place.done, place.done + place.piece);
    const from = this.#clock.monotonic();
    place.model.feed(piece, isPast);
    place.lines.settle(place.model.inside);
    const took = this.#clock.monotonic() - from;
    if (took > PIECE_MS) place.piece = Math.max(PIECE_LEAST, place.piece / 2);
    else if (took < PIECE_MS / 4) place.piece = Math.min(PIECE_MOST, place.piece * 2);
    this.#parsed.set(id, (this.#parsed.get(id) ?? 0) + piece.length);
    place.done += piece.length;
    if (place.done < bytes.length) return false;
    place.done = 0;
    return true;
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
    this.#parsed = new Map();
    this.#report({ op: "parsed", counts }, []);
  }
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
