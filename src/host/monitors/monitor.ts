import type { CheckedDefinition } from "./check.ts";
import type { MonitorEventReason, MonitorState } from "./definition.ts";
import { openWatch } from "./open-watch.ts";
import { nextTick } from "./ticks.ts";
import type { Watch, WatchGround } from "./watch.ts";

/** What a monitor tells its session's. */
export interface MonitorEvents {
  happened(reason: MonitorEventReason): void;
  /** It is over. */
  gone(): void;
}

/** One monitor by one definition: how it stands, and when it tells of itself. */
export class Monitor {
  readonly #checked: CheckedDefinition;
  readonly #ground: WatchGround;
  readonly #events: MonitorEvents;
  readonly #watch: Watch;
  #state: Exclude<MonitorState, "matched"> = "active";
  #hasMatched = false;
  #isWatching = false;
  #checks = 0;
  #cancelLifetime = () => {};
  #cancelInterval = () => {};

  constructor(checked: CheckedDefinition, ground: WatchGround, events: MonitorEvents) {
    this.#checked = checked;
    this.#ground = ground;
    this.#events = events;
    this.#watch = openWatch(checked, ground, {
      looked: (isMet) => this.looked(isMet),
      lost: () => this.#degrade(),
    });
    const { lifetime } = checked.definition;
    if (lifetime.kind === "duration") {
      const end = ground.clock.monotonic() + lifetime.duration_ms;
      this.#cancelLifetime = ground.deadlines.at(end, () => this.#expire());
    }
    this.#begin();
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

  #begin(): void {
    const { notify } = this.#checked.definition;
    if (notify.kind === "interval") {
      const { interval_ms: intervalMs } = notify;
      this.#armInterval(this.#ground.clock.monotonic() + intervalMs, intervalMs);
    }
    if (this.#hasMatched && !this.#countsChecks) return;
    this.#isWatching = true;
    this.#watch.start();
  }

  #halt(): void {
    this.#cancelInterval();
    this.#stopWatch();
  }

  #stopWatch(): void {
    if (!this.#isWatching) return;
    this.#isWatching = false;
    this.#watch.stop();
  }

  #armInterval(due: number, intervalMs: number): void {
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
  }
}
