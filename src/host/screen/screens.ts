import { Worker } from "node:worker_threads";
import type { Cancel, Clock } from "../../time/clock.ts";
import { FLOOD_ROOM } from "./batch.ts";
import { Handle } from "./handle.ts";
import { SCROLLBACK_LINES } from "./limits.ts";
import {
  AT_SCREEN,
  type Order,
  PIECES,
  type Question,
  type Reply,
  type Report,
} from "./messages.ts";
import type { ModelOptions } from "./model.ts";
import type { Screen } from "./screen.ts";
import { CELL_PIXELS, DEFAULT_THEME, type Theme } from "./theme.ts";
import { workerFile } from "./worker-file.ts";

/** How long a piece of work may take before the worker counts as stuck, in milliseconds: thousands of times what one
 * takes. */
const STUCK_MS = 5000;
/** How often that is looked at while there is work, in milliseconds. */
const LOOK_MS = 1000;

/** Room for the worker's new objects, in MB. Parsing is as fast as with the engine's 48, which are never given back. */
const YOUNG_MB = 4;

/** How long output may wait for more before it is parsed, in milliseconds: nobody sees the difference, as whoever asks has
 * it parsed first, and a key then wakes no other thread before its echo is out. */
const BATCH_MS = 12;

/** How many batches of floods have their memory kept for the next ones. */
const SPARES = 4;

/** How often a worker is started that ends before it has done anything. Then terminals go on without screens. */
const START_TRIES = 3;
const UNAVAILABLE = "Screens are not available: their worker does not start";

export interface ScreensOptions {
  readonly clock: Clock;
  /** Of termtopic, for programs that ask which terminal this is. */
  readonly version: string;
  /** The built worker. Default: the one in the package. */
  readonly worker?: URL | undefined;
  /** How long a piece of work may take, in milliseconds. Default: 5 s. */
  readonly stuckMs?: number | undefined;
}

export interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** Lines kept above the screen. Default: `SCROLLBACK_LINES`. */
  readonly scrollback?: number | undefined;
  readonly theme?: Theme | undefined;
  /** The size of a character in pixels, for programs that ask. Default: 8 by 16. */
  readonly cell?: { readonly width: number; readonly height: number } | undefined;
  /** What the program is to read: answers to what it asked. */
  answer(bytes: Buffer): void;
  /** The last output that is still kept. A screen whose worker was lost is fed with it; without it, or where it was
   * this screen that the worker got stuck at, it begins empty. */
  replay?(): Uint8Array<ArrayBuffer>;
  /** It was asked something, so that it is no longer frozen if it was. */
  used?(): void;
}

interface Entry {
  readonly handle: Handle;
  readonly options: ScreenOptions;
}

interface Pending {
  readonly id: number;
  readonly question: Question;
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** All screens of a host, in one worker that is started with the first of them. */
export class Screens {
  readonly #options: ScreensOptions;
  readonly #entries = new Map<number, Entry>();
  readonly #pending = new Map<number, Pending>();
  /** Screens with output that waits for more. */
  readonly #unsent = new Set<number>();
  readonly #spares: ArrayBuffer[] = [];
  #flush: Cancel | undefined;
  #worker: Worker | undefined;
  #progress = new Int32Array(new SharedArrayBuffer(8));
  #failures = 0;
  #lastId = 0;
  #lastCall = 0;
  #look: Cancel | undefined;
  #pieces = 0;
  #movedAt = 0;

  constructor(options: ScreensOptions) {
    this.#options = options;
  }

  open(options: ScreenOptions): Screen {
    const { cols, rows, theme = DEFAULT_THEME } = options;
    this.#lastId += 1;
    const id = this.#lastId;
    const link = {
      send: (order: Order, transfer: ArrayBuffer[]) => this.#send(order, transfer),
      ask: (asked: number, question: Question) => {
        if (question.kind !== "freeze") options.used?.();
        return this.#ask(asked, question);
      },
      spare: () => this.#spares.pop() ?? new ArrayBuffer(FLOOD_ROOM),
      flushLater: (fed: number) => this.#flushLater(fed),
      close: (closed: number) => this.#close(closed),
    };
    const handle = new Handle(id, link, { size: { cols, rows }, theme });
    this.#entries.set(id, { handle, options });
    this.#send({ op: "open", id, options: this.#modelOptions(handle, options) }, []);
    return handle;
  }

  /** Ends the worker, and all screens with it. */
  async close(): Promise<void> {
    for (const { handle } of [...this.#entries.values()]) handle.dispose();
    this.#look?.();
    this.#flush?.();
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #modelOptions({ size, theme }: Handle, options: ScreenOptions, fed = 0): ModelOptions {
    return {
      ...size,
      theme,
      fed,
      scrollback: options.scrollback ?? SCROLLBACK_LINES,
      cell: options.cell ?? CELL_PIXELS,
      version: this.#options.version,
    };
  }

  #send(order: Order, transfer: ArrayBuffer[]): void {
    if (this.#failures >= START_TRIES) {
      if (order.op === "feed") this.#entries.get(order.id)?.handle.parsed(order.bytes.length);
      if (order.op === "ask") this.#fail(() => true, UNAVAILABLE);
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.postMessage(order, transfer);
    this.#watch();
  }

  #ask(id: number, question: Question): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#lastCall += 1;
      this.#pending.set(this.#lastCall, { id, question, resolve, reject });
      this.#send({ op: "ask", id, call: this.#lastCall, question }, []);
    });
  }

  #flushLater(id: number): void {
    this.#unsent.add(id);
    this.#flush ??= this.#options.clock.schedule(BATCH_MS, () => {
      this.#flush = undefined;
      for (const unsent of this.#unsent) this.#entries.get(unsent)?.handle.flush();
      this.#unsent.clear();
    });
  }

  #close(id: number): void {
    this.#entries.delete(id);
    this.#fail((pending) => pending.id === id, "The screen is closed");
    this.#worker?.postMessage({ op: "dispose", id } satisfies Order);
  }

  #fail(which: (pending: Pending) => boolean, reason: string): void {
    for (const [call, pending] of this.#pending) {
      if (!which(pending)) continue;
      this.#pending.delete(call);
      pending.reject(new Error(reason));
    }
  }

  #start(): Worker {
    this.#progress = new Int32Array(new SharedArrayBuffer(8));
    this.#pieces = 0;
    const worker = new Worker(this.#options.worker ?? workerFile(), {
      workerData: { progress: this.#progress.buffer },
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      // The parser's library warns there when the machine is slow.
      stderr: true,
    });
    // Screens keep no process alive: terminals do.
    worker.unref();
    worker.stderr.resume();
    worker.on("message", (report: Report) => {
      if (worker === this.#worker) this.#heed(report);
    });
    // An error is told by the exit that follows it.
    worker.on("error", () => undefined);
    worker.on("exit", () => {
      if (worker === this.#worker) this.#lost();
    });
    return worker;
  }

  #heed(report: Report): void {
    if (report.op === "parsed") {
      for (const [id, bytes] of report.counts) this.#entries.get(id)?.handle.parsed(bytes);
      for (const spare of report.spares) if (this.#spares.length < SPARES) this.#spares.push(spare);
      return;
    }
    if (report.op === "answer") {
      const { buffer, byteOffset, length } = report.bytes;
      this.#entries.get(report.id)?.options.answer(Buffer.from(buffer, byteOffset, length));
      return;
    }
    const pending = this.#pending.get(report.call);
    this.#pending.delete(report.call);
    if (report.op === "reply") pending?.resolve(report.reply);
    else pending?.reject(new Error(`The screen could not be read: ${report.reason}`));
  }

  /** Looks from time to time whether work goes on, as long as there is any. */
  #watch(): void {
    if (this.#look) return;
    this.#movedAt = this.#options.clock.monotonic();
    const look = () => {
      this.#look = undefined;
      if (!this.#worker || !this.#isBusy()) return;
      const now = this.#options.clock.monotonic();
      const pieces = Atomics.load(this.#progress, PIECES);
      // A worker that is at no screen waits for the machine, not for a screen.
      if (pieces !== this.#pieces || Atomics.load(this.#progress, AT_SCREEN) === 0) {
        this.#pieces = pieces;
        this.#movedAt = now;
      }
      if (now - this.#movedAt >= (this.#options.stuckMs ?? STUCK_MS)) this.#lost();
      else this.#look = this.#options.clock.schedule(LOOK_MS, look);
    };
    this.#look = this.#options.clock.schedule(LOOK_MS, look);
  }

  #isBusy(): boolean {
    if (this.#pending.size > 0) return true;
    for (const { handle } of this.#entries.values()) if (handle.backlog > 0) return true;
    return false;
  }

  /** The worker is stuck, or gone: another one takes the screens over. What it was stuck at begins empty, or the next
   * one would get stuck as well. */
  #lost(): void {
    const culprit = Atomics.load(this.#progress, AT_SCREEN);
    const lost = this.#worker;
    this.#look?.();
    this.#look = undefined;
    this.#worker = undefined;
    void lost?.terminate();
    this.#fail(({ id }) => id === culprit, "The screen could not be read: it took too long");
    this.#failures = this.#worked() ? 0 : this.#failures + 1;
    if (this.#failures >= START_TRIES) {
      for (const { handle } of this.#entries.values()) handle.restart(0);
      this.#fail(() => true, UNAVAILABLE);
      return;
    }
    for (const [id, { handle, options }] of this.#entries) {
      const kept = id === culprit ? undefined : options.replay?.();
      this.#reopen(handle, options, kept);
    }
    for (const [call, { id, question }] of this.#pending) {
      this.#send({ op: "ask", id, call, question }, []);
    }
  }

  #worked(): boolean {
    return Atomics.load(this.#progress, PIECES) > 0 || Atomics.load(this.#progress, AT_SCREEN) > 0;
  }

  #reopen(handle: Handle, options: ScreenOptions, kept = new Uint8Array(0)): void {
    const { id, fed } = handle;
    handle.restart(kept.length);
    const model = this.#modelOptions(handle, options, fed - kept.length);
    this.#send({ op: "open", id, options: model }, []);
    if (kept.length === 0) return;
    const bytes = new Uint8Array(kept);
    this.#send({ op: "feed", id, bytes, isPast: true }, [bytes.buffer]);
  }
}
