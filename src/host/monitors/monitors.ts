import type { Clock } from "../../time/clock.ts";
import type { CheckedDefinition } from "./check.ts";
import type { MonitorEvent, MonitorState } from "./definition.ts";
import type { MonitoredSession } from "./session.ts";

/** What the monitors of all sessions share. */
export interface MonitorParts {
  readonly clock: Clock;
}

export interface MonitorStanding {
  readonly monitor_id: string;
  readonly state: MonitorState;
}

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

/** The monitors of one session. Everything that is refused throws a MonitorRefusal. */
export interface MonitorsFace {
  /** How many are neither paused nor degraded. */
  readonly activeCount: number;
  /** Answers its id, `monitor-1` and so on; none is given out twice. */
  add(definition: CheckedDefinition): string;
  update(id: string, definition: CheckedDefinition): void;
  pause(id: string): void;
  resume(id: string): void;
  remove(id: string): void;
  list(): MonitorStanding[];
  inspect(inspection: Inspection): EventPage;
}

export type OpenMonitors = (session: MonitoredSession, parts: MonitorParts) => MonitorsFace;
