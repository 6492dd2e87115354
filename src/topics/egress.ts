import type { Cancel, Clock } from "../time/clock.ts";
import type { Feed } from "./feed.ts";
import type { Line } from "./line.ts";

/** The shortest time between two flushes, in milliseconds. The first change after quiet goes at once;
 * those within this time go together. Shorter makes more frames, longer makes changes late. */
export const FLUSH_PERIOD_MS = 10;

/** The same for a connection that has bytes waiting, and for all of them while the process is busy:
 * more folds into each frame. */
export const BUSY_FLUSH_PERIOD_MS = 100;

/** How many frames a second make the process busy. About half of what one core sends. */
export const BUSY_FRAMES_PER_SECOND = 10_000;

/** How often a connection that takes nothing is looked at while it is one. */
const PROGRESS_CHECK_MS = 1_000;

/** What one flush did, for whoever counts. */
export interface FlushReport {
  readonly frames: number;
  /** From the first change in it to its end. */
  readonly lagMs: number;
}

/** Sends changes to all connections on one clock. It has a timer only while something waits. */
export class Egress {
  readonly #clock: Clock;
  readonly #order: () => Iterable<string>;
  readonly #report: (flush: FlushReport) => void;
  readonly #lines = new Set<Line>();
  #flushedAt = Number.NEGATIVE_INFINITY;
  #armed: { at: number; cancel: Cancel } | undefined;
  #wokenAt: number | undefined;
  #second = { startedAt: Number.NEGATIVE_INFINITY, frames: 0, busy: false };

  /** `order` gives the topics in the order in which their frames go within one flush. */
  constructor(
    clock: Clock,
    order: () => Iterable<string>,
    report: (flush: FlushReport) => void = () => {},
  ) {
    this.#clock = clock;
    this.#order = order;
    this.#report = report;
  }

  add(line: Line): void {
    this.#lines.add(line);
  }

  remove(line: Line): void {
    this.#lines.delete(line);
    if (this.#lines.size === 0) this.#disarm();
  }

  /** Something changed: flush at once after quiet, else when the period is over. */
  wake(): void {
    const now = this.#clock.monotonic();
    this.#wokenAt ??= now;
    this.#arm(Math.max(now, this.#flushedAt + this.#period()));
  }

  /** Sends everything that connections take now, whatever the period. */
  flush({ force = true }: { force?: boolean } = {}): void {
    this.#disarm();
    const now = this.#clock.monotonic();
    let frames = 0;
    let next = Number.POSITIVE_INFINITY;
    for (const line of this.#lines) {
      const waits = line.buffered > 0 ? line.flushedAt + BUSY_FLUSH_PERIOD_MS : now;
      if (line.isBehind && (force || waits <= now)) frames += line.advance(this.#order());
      if (line.isBehind) next = Math.min(next, Math.max(waits, now + FLUSH_PERIOD_MS));
      if (line.checkProgress()) next = Math.min(next, now + PROGRESS_CHECK_MS);
    }
    this.#flushedAt = now;
    this.#count(frames, now);
    if (frames > 0) {
      this.#report({ frames, lagMs: this.#clock.monotonic() - (this.#wokenAt ?? now) });
    }
    this.#wokenAt = undefined;
    this.#forget();
    if (next !== Number.POSITIVE_INFINITY) this.#arm(next);
  }

  stop(): void {
    this.#disarm();
  }

  #period(): number {
    return this.#second.busy ? BUSY_FLUSH_PERIOD_MS : FLUSH_PERIOD_MS;
  }

  #arm(at: number): void {
    if (this.#armed !== undefined && this.#armed.at <= at) return;
    this.#disarm();
    const delay = at - this.#clock.monotonic();
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

  #count(frames: number, now: number): void {
    if (now - this.#second.startedAt >= 1_000) {
      const busy = this.#second.frames > BUSY_FRAMES_PER_SECOND;
      this.#second = { startedAt: now, frames: 0, busy };
    }
    this.#second.frames += frames;
    if (this.#second.frames > BUSY_FRAMES_PER_SECOND) this.#second.busy = true;
  }

  /** Lets every feed forget what no reader needs any more. */
  #forget(): void {
    const oldest = new Map<Feed, number>();
    for (const line of this.#lines) {
      for (const { feed, position } of line.cursors()) {
        oldest.set(feed, Math.min(position, oldest.get(feed) ?? position));
      }
    }
    for (const [feed, position] of oldest) feed.forget(position);
  }
}

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
