import type { MonitorEvent } from "./definition.ts";
import { MAX_EVENTS, MAX_PAGE_EVENTS } from "./limits.ts";
import { MonitorRefusal } from "./refusal.ts";
import type { SavedLog } from "./saved.ts";

/** Which events are asked for. */
export interface Inspection {
  /** Only events with a larger id. Absent: those that nobody has acknowledged. */
  readonly after?: number | undefined;
  /** Forgets events up to this one, before the page is taken. */
  readonly acknowledge?: number | undefined;
  /** How many at most, 1 to 256. */
  readonly max: number;
}

export interface EventPage {
  readonly events: readonly MonitorEvent[];
  /** The last event that was dropped because there were too many. Null: none was. */
  readonly event_gap_through: number | null;
  readonly next_event_id: number;
}

/** What the monitors of one session have told of. Reading takes nothing away; acknowledging does. */
export class EventLog {
  #events: MonitorEvent[];
  #nextId: number;
  #acknowledged: number;
  #gapThrough: number | null;

  constructor(saved?: SavedLog) {
    this.#events = [...(saved?.events ?? [])];
    this.#nextId = saved?.next_id ?? 1;
    this.#acknowledged = saved?.acknowledged ?? 0;
    this.#gapThrough = saved?.gap_through ?? null;
  }

  save(): SavedLog {
    return {
      next_id: this.#nextId,
      acknowledged: this.#acknowledged,
      gap_through: this.#gapThrough,
      events: [...this.#events],
    };
  }

  add(event: Omit<MonitorEvent, "event_id">): void {
    this.#events.push({ event_id: this.#nextId, ...event });
    this.#nextId += 1;
    if (this.#events.length > MAX_EVENTS) this.#gapThrough = this.#events.shift()?.event_id ?? null;
  }

  page({ after, acknowledge, max }: Inspection): EventPage {
    if (!Number.isSafeInteger(max) || max < 1 || max > MAX_PAGE_EVENTS) {
      refuse(`max_events must be an integer from 1 to ${MAX_PAGE_EVENTS}, got ${max}`);
    }
    if (after !== undefined && (!Number.isSafeInteger(after) || after < 0)) {
      refuse(`after_event_id must be the id of an event, or 0, got ${after}`);
    }
    if (acknowledge !== undefined) this.#acknowledge(acknowledge);
    const from = after ?? this.#acknowledged;
    const begin = this.#events.findIndex((event) => event.event_id > from);
    return {
      events: begin < 0 ? [] : this.#events.slice(begin, begin + max),
      event_gap_through: this.#gapThrough,
      next_event_id: this.#nextId,
    };
  }

  #acknowledge(id: number): void {
    if (!Number.isSafeInteger(id) || id < 1 || id >= this.#nextId) {
      const known =
        this.#nextId === 1 ? "there are no events yet" : `from 1 to ${this.#nextId - 1}`;
      refuse(`acknowledge_event_id must be the id of an event (${known}), got ${id}`);
    }
    this.#acknowledged = Math.max(this.#acknowledged, id);
    this.#events = this.#events.filter((event) => event.event_id > id);
  }
}

function refuse(message: string): never {
  throw new MonitorRefusal("invalid_request", message);
}
