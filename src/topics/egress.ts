import type { Cancel, Clock } from "../time/clock.ts";
import { type Feed, NOWHERE } from "./feed.ts";
import type { Line } from "./line.ts";
import { Load } from "./load.ts";
import { Moves } from "./moves.ts";

/** The shortest time between two flushes, in milliseconds. The first change after quiet goes at once;
 * those within this time go together. Shorter makes more frames, longer makes changes late. */
export const FLUSH_PERIOD_MS = 10;

/** The same for a connection that has bytes waiting, and for all of them while the process is busy:
 * more folds into each frame. */
export const BUSY_FLUSH_PERIOD_MS = 100;

/** How often a connection that takes nothing is looked at while it is one. */
const PROGRESS_CHECK_MS = 1_000;

/** What one flush did, for whoever counts. */
export interface FlushReport {
  readonly frames: number;
  /** From the first sign of a change in it to its end. */
  readonly lagMs: number;
}

/** Sends changes to all connections on one clock. It has a timer only while something waits. */
export class Egress {
  readonly #clock: Clock;
  readonly #feeds: () => Iterable<Feed>;
  readonly #report: (flush: FlushReport) => void;
  readonly #moves = new Moves();
  /** Those in which a reader was behind. */
  #unforgotten = new Set<Feed>();
  readonly #lines = new Set<Line>();
  readonly #load = new Load();
  /** When a flush last sent anything. One that found nothing to send delays no later change. */
  #flushedAt = Number.NEGATIVE_INFINITY;
  #armed: { at: number; cancel: Cancel } | undefined;
  #wokenAt: number | undefined;

  /** `feeds`: all there are, in the order in which their frames go. */
  constructor(
    clock: Clock,
    feeds: () => Iterable<Feed>,
    report: (flush: FlushReport) => void = () => {},
  ) {
    this.#clock = clock;
    this.#feeds = feeds;
    this.#report = report;
  }

  add(line: Line): void {
    this.#lines.add(line);
  }

  remove(line: Line): void {
    this.#lines.delete(line);
    if (this.#lines.size > 0) return;
    this.#disarm();
    this.#wokenAt = undefined;
  }

  /** Something changed, whose first sign was seen at `signAt`: flush at once after quiet, else when the period is
   * over. */
  wake(signAt?: number): void {
    if (this.#lines.size === 0) return;
    const now = this.#clock.monotonic();
    this.#wokenAt ??= signAt ?? now;
    this.#arm(Math.max(now, this.#flushedAt + this.#period(now)));
  }

  /** Sends the first frames of a topic to a connection that has just joined it, apart from the flushes. */
  begin(line: Line, topic: string): void {
    if (!this.#lines.has(line)) return;
    const now = this.#clock.monotonic();
    line.look(now);
    const frames = line.advance(now, topic);
    this.#load.count(frames, now);
    const next = this.#nextLook(line, now);
    if (next !== undefined) this.#arm(next);
  }

  /** Sends everything that connections take now, whatever the period. */
  flush({ force = true }: { force?: boolean } = {}): void {
    this.#disarm();
    const now = this.#clock.monotonic();
    const wokenAt = this.#wokenAt ?? now;
    this.#wokenAt = undefined;
    const moved = this.#moves.take(this.#feeds());
    let frames = 0;
    let next: number | undefined;
    for (const line of this.#lines) {
      line.look(now);
      line.meet(moved);
      if (line.isStuck(now)) {
        this.#giveUp(line);
        continue;
      }
      if (line.isBehind && (force || dueAt(line) <= now)) frames += line.advance(now);
      next = earliest(next, this.#nextLook(line, now));
    }
    if (frames > 0) {
      this.#flushedAt = now;
      this.#load.count(frames, now);
      this.#report({ frames, lagMs: this.#clock.monotonic() - wokenAt });
    }
    this.#forget(moved);
    if (next !== undefined) this.#arm(next);
  }

  /** When a connection needs the next flush for its own sake. Never, where it has got everything. */
  #nextLook(line: Line, now: number): number | undefined {
    if (line.isBehind) return Math.max(dueAt(line), now + this.#period(now));
    return line.isHeld ? now + PROGRESS_CHECK_MS : undefined;
  }

  #period(now: number): number {
    return this.#load.isBusy(now) ? BUSY_FLUSH_PERIOD_MS : FLUSH_PERIOD_MS;
  }

  #giveUp(line: Line): void {
    this.#lines.delete(line);
    line.evict();
  }

  #arm(at: number): void {
    if (this.#armed !== undefined && this.#armed.at <= at) return;
    this.#disarm();
    const delay = Math.ceil(at - this.#clock.monotonic());
    const due = () => {
      this.#armed = undefined;
      this.flush({ force: false });
    };
    this.#armed = { at, cancel: delay <= 0 ? soon(due) : this.#clock.schedule(delay, due) };
  }

  #disarm(): void {
    this.#armed?.cancel();
    this.#armed = undefined;
  }

  /** Lets feeds forget what no reader needs any more. */
  #forget(moved: readonly Feed[]): void {
    const oldest = new Map<Feed, number>();
    for (const line of this.#lines) {
      for (const { feed, position } of line.lagging) {
        if (position === NOWHERE) continue;
        oldest.set(feed, Math.min(position, oldest.get(feed) ?? position));
      }
    }
    for (const feed of moved) this.#unforgotten.add(feed);
    for (const feed of this.#unforgotten) feed.forget(oldest.get(feed) ?? feed.position);
    this.#unforgotten = new Set(oldest.keys());
  }
}

/** When a connection may be sent to again. */
function dueAt(line: Line): number {
  return line.waits ? line.sentAt + BUSY_FLUSH_PERIOD_MS : Number.NEGATIVE_INFINITY;
}

const earliest = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

/** Runs the task once the code that changes several topics is through, so that they go together. */
function soon(task: () => void): Cancel {
  let cancelled = false;
  queueMicrotask(() => {
    if (!cancelled) task();
  });
  return () => {
    cancelled = true;
  };
}
