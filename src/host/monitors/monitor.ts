import type { Clock } from "../../time/clock.ts";
import type { CheckedDefinition } from "./check.ts";
import type { MonitorEventReason, MonitorState } from "./definition.ts";
import { openWatch } from "./open-watch.ts";
import type { SavedMonitor } from "./saved.ts";
import { savedDefinition } from "./saved-definition.ts";
import { nextTick } from "./ticks.ts";
import { monotonicOf, wallTimeOf } from "./wall-time.ts";
import type { Watch, WatchGround } from "./watch.ts";

/** What a monitor tells its session's. */
export interface MonitorEvents {
  happened(reason: MonitorEventReason): void;
  /** What is to be written down of it differs. */
  changed(): void;
  /** It is over. */
  gone(): void;
}

/** One monitor by one definition: how it stands, and when it tells of itself. */
export class Monitor {
  readonly #checked: CheckedDefinition;
  readonly #ground: WatchGround;
  readonly #events: MonitorEvents;
  readonly #watch: Watch;
  #state: Exclude<MonitorState, "matched">;
  #hasMatched: boolean;
  #isWatching = false;
  #checks: number;
  /** On the monotonic clock. Absent where it lives as long as something else says. */
  readonly #endsAt: number | undefined;
  /** On the monotonic clock. Absent while no time is told of. */
  #intervalDue: number | undefined;
  #cancelLifetime = () => {};
  #cancelInterval = () => {};

  /** `saved`: goes on from where that of an earlier process was. */
  constructor(
    checked: CheckedDefinition,
    ground: WatchGround,
    events: MonitorEvents,
    saved?: SavedMonitor,
  ) {
    this.#state = saved?.state ?? "active";
    this.#hasMatched = saved?.has_matched ?? false;
    this.#checks = saved?.checks ?? 0;
    this.#checked = checked;
    this.#ground = ground;
    this.#events = events;
    this.#watch = openWatch(checked, ground, {
      looked: (isMet) => this.looked(isMet),
      lost: () => this.#degrade(),
    });
    const { clock, deadlines } = ground;
    const { lifetime } = checked.definition;
    if (lifetime.kind === "duration") {
      this.#endsAt = untilOf(saved?.ends_at_ms, clock) ?? clock.monotonic() + lifetime.duration_ms;
      this.#cancelLifetime = deadlines.at(this.#endsAt, () => this.#expire());
    }
    if (this.#state === "active") this.#begin(saved);
  }

  /** What another one is to go on from. */
  save(monitor_id: string): SavedMonitor {
    const { clock } = this.#ground;
    const wallTime = (at: number | undefined) => (at === undefined ? null : wallTimeOf(clock, at));
    return {
      monitor_id,
      checked: savedDefinition(this.#checked),
      state: this.#state,
      has_matched: this.#hasMatched,
      checks: this.#checks,
      ends_at_ms: wallTime(this.#endsAt),
      interval_due_ms: wallTime(this.#intervalDue),
      watch: (this.#isWatching && this.#watch.save?.()) || null,
    };
  }

  get state(): MonitorState {
    return this.#state === "active" && this.#hasMatched ? "matched" : this.#state;
  }

  get condition(): CheckedDefinition["definition"]["condition"] {
    return this.#checked.definition.condition;
  }

  /** Its condition has been looked at. Only the first time that it is met makes a difference. */
  looked(isMet: boolean): void {
    if (this.#state !== "active") return;
    const { notify, lifetime } = this.#checked.definition;
    const isNew = isMet && !this.#hasMatched;
    this.#checks += 1;
    this.#hasMatched ||= isMet;
    if (isNew && notify.kind === "on_match") this.#events.happened("matched");
    if (isNew && notify.kind === "on_state_change") this.#events.happened("state_changed");
    if (notify.kind === "every_check") this.#events.happened("check");
    if (notify.kind === "every_n_checks" && this.#checks % notify.count === 0) {
      this.#events.happened("check");
    }
    if (isNew || notify.kind === "every_n_checks") this.#events.changed();
    if (isNew && lifetime.kind === "until_match") this.#events.gone();
    else if (this.#hasMatched && !this.#countsChecks) this.#stopWatch();
  }

  /** Whether it was not already. One that lost output stays as it is. */
  pause(): boolean {
    if (this.#state !== "active") return false;
    this.#state = "paused";
    this.#halt();
    return true;
  }

  resume(): boolean {
    if (this.#state !== "paused") return false;
    this.#state = "active";
    this.#begin();
    return true;
  }

  sessionEnded(): void {
    const { kind } = this.#checked.definition.notify;
    const isTold = kind === "on_exit" || kind === "on_state_change";
    if (isTold && this.#state === "active") this.#events.happened("session_exit");
    this.#events.gone();
  }

  /** Ends everything that it has under way. */
  end(): void {
    this.#halt();
    this.#cancelLifetime();
  }

  get #countsChecks(): boolean {
    const { kind } = this.#checked.definition.notify;
    return kind === "every_check" || kind === "every_n_checks";
  }

  #begin(saved?: SavedMonitor): void {
    const { clock } = this.#ground;
    const { notify } = this.#checked.definition;
    if (notify.kind === "interval") {
      const { interval_ms: intervalMs } = notify;
      const now = clock.monotonic();
      const due = untilOf(saved?.interval_due_ms, clock) ?? now + intervalMs;
      // What went by while nobody was there is not made up for.
      this.#armInterval(due < now ? nextTick(due, intervalMs, now) : due, intervalMs);
    }
    if (this.#hasMatched && !this.#countsChecks) return;
    this.#isWatching = true;
    this.#watch.start(saved?.watch ?? undefined);
  }

  #halt(): void {
    this.#cancelInterval();
    this.#intervalDue = undefined;
    this.#stopWatch();
  }

  #stopWatch(): void {
    if (!this.#isWatching) return;
    this.#isWatching = false;
    this.#watch.stop();
  }

  #armInterval(due: number, intervalMs: number): void {
    this.#intervalDue = due;
    this.#cancelInterval = this.#ground.deadlines.at(due, () => {
      // What was missed is not made up for.
      this.#armInterval(nextTick(due, intervalMs, this.#ground.clock.monotonic()), intervalMs);
      this.#events.happened("interval");
    });
  }

  #expire(): void {
    const { kind } = this.#checked.definition.notify;
    if (kind === "on_state_change") this.#events.happened("expired");
    this.#events.gone();
  }

  #degrade(): void {
    if (this.#state !== "active" || this.#hasMatched) return;
    this.#state = "degraded";
    this.#halt();
    this.#events.changed();
  }
}

/** A time that was written down, on the monotonic clock. Absent where none was. */
function untilOf(wallTime: number | null | undefined, clock: Clock): number | undefined {
  return wallTime === null || wallTime === undefined ? undefined : monotonicOf(clock, wallTime);
}
