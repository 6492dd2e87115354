import type { Cancel, Clock } from "../../time/clock.ts";
import { Signal } from "../signal.ts";
import type { CheckedDefinition } from "./check.ts";
import { cursor } from "./cursor.ts";
import { Deadlines } from "./deadlines.ts";
import type { MonitorCondition, MonitorEventReason, MonitorState } from "./definition.ts";
import { EventLog, type EventPage, type Inspection } from "./event-log.ts";
import { MAX_MONITORS } from "./limits.ts";
import { Monitor, type MonitorEvents } from "./monitor.ts";
import { OutputFeed } from "./output-feed.ts";
import { ProbeQueue } from "./probe-queue.ts";
import { MonitorRefusal } from "./refusal.ts";
import type { SavedMonitor, SavedMonitors } from "./saved.ts";
import { restoredDefinition } from "./saved-definition.ts";
import { ScreenLooks } from "./screen-looks.ts";
import type { MonitoredSession } from "./session.ts";
import { SIGNALS } from "./signals.ts";
import type { WatchGround } from "./watch.ts";

/** What the monitors of all sessions of a host share. */
export interface MonitorParts {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly probes: ProbeQueue;
}

/** Opens the monitors of a session. `saved`: goes on with those of an earlier process; output that they have seen comes once
 * more and is no news. Throws where no monitors can have been so. */
export type OpenMonitors = (session: MonitoredSession, saved?: SavedMonitors) => MonitorsFace;

/** Opens the monitors of a host's sessions. They share one timer, and the limit of probes. */
export function hostMonitors(clock: Clock): OpenMonitors {
  const parts = { clock, deadlines: new Deadlines(clock), probes: new ProbeQueue(clock) };
  return (session, saved) => new Monitors(session, parts, saved);
}

/** How one monitor stands. */
export interface MonitorStanding {
  readonly monitor_id: string;
  readonly state: MonitorState;
}

/** The monitors of one session, and what they have told of. Everything that is refused throws a MonitorRefusal. They end
 * with the session; their events can be read on. */
export interface MonitorsFace {
  /** How many are neither paused nor degraded. */
  readonly activeCount: number;
  /** What is to be written down of them differs. */
  readonly changed: Signal;
  /** Answers its id, `monitor-1` and so on; none is given out twice. It sees what is written from now on. In a session whose
   * program has ended it is told so at once. */
  add(definition: CheckedDefinition): string;
  /** Begins anew by another definition, also where it was paused, matched or degraded. */
  update(id: string, definition: CheckedDefinition): void;
  /** Pausing what is paused, and resuming what is not, does nothing. */
  pause(id: string): void;
  resume(id: string): void;
  remove(id: string): void;
  list(): MonitorStanding[];
  inspect(inspection: Inspection): EventPage;
  /** What another process is to go on from. */
  save(): SavedMonitors;
}

/** Those that wait for output, for the screen or for the end have no timer: the terminal tells them. */
export class Monitors implements MonitorsFace {
  readonly #session: MonitoredSession;
  readonly #ground: WatchGround;
  readonly #monitors = new Map<string, Monitor>();
  readonly changed = new Signal();
  readonly #log: EventLog;
  readonly #unlisten: Cancel;
  #lastNumber: number;
  #isEnding = false;

  constructor(session: MonitoredSession, parts: MonitorParts, saved?: SavedMonitors) {
    const { clock } = parts;
    this.#session = session;
    this.#log = new EventLog(saved?.log);
    this.#lastNumber = saved?.last_number ?? 0;
    const feed = new OutputFeed(session, clock, saved);
    const screens = new ScreenLooks(session, clock);
    this.#ground = { session, ...parts, feed, screens };
    try {
      for (const monitor of saved?.monitors ?? []) this.#restore(monitor);
    } catch (error) {
      for (const id of this.#monitors.keys()) this.#drop(id);
      throw error;
    }
    this.#unlisten = session.onOutput(() => this.#look());
  }

  get activeCount(): number {
    const states = [...this.#monitors.values()].map(({ state }) => state);
    return states.filter((state) => state === "active" || state === "matched").length;
  }

  add(definition: CheckedDefinition): string {
    this.#needsOpen();
    if (this.#monitors.size >= MAX_MONITORS) {
      const message = `A session has at most ${MAX_MONITORS} monitors: remove one`;
      throw new MonitorRefusal("capacity_exceeded", message);
    }
    this.#lastNumber += 1;
    const id = `monitor-${this.#lastNumber}`;
    this.#open(id, definition);
    this.changed.emit();
    return id;
  }

  update(id: string, definition: CheckedDefinition): void {
    this.#needsOpen();
    this.#monitor(id).end();
    this.#happened(id, "updated");
    this.#open(id, definition);
  }

  pause(id: string): void {
    if (this.#monitor(id).pause()) this.#happened(id, "paused");
  }

  resume(id: string): void {
    if (this.#monitor(id).resume()) this.#happened(id, "resumed");
  }

  remove(id: string): void {
    this.#monitor(id);
    this.#drop(id);
    this.#happened(id, "removed");
  }

  list(): MonitorStanding[] {
    return [...this.#monitors].map(([id, { state }]) => ({ monitor_id: id, state }));
  }

  inspect(inspection: Inspection): EventPage {
    const page = this.#log.page(inspection);
    if (inspection.acknowledge !== undefined) this.changed.emit();
    return page;
  }

  save(): SavedMonitors {
    return {
      last_number: this.#lastNumber,
      ...this.#ground.feed.save(),
      monitors: [...this.#monitors].map(([id, monitor]) => monitor.save(id)),
      log: this.#log.save(),
    };
  }

  get #isGone(): boolean {
    const { lifecycle } = this.#session;
    return lifecycle === "closed" || lifecycle === "lost";
  }

  #needsOpen(): void {
    if (!this.#isGone) return;
    const message = `The session is ${this.#session.lifecycle}: it takes no monitors`;
    throw new MonitorRefusal("invalid_lifecycle", message);
  }

  #monitor(id: string): Monitor {
    const monitor = this.#monitors.get(id);
    if (monitor !== undefined) return monitor;
    const known = [...this.#monitors.keys()].join(", ") || "none";
    const message = `The session has no monitor ${JSON.stringify(id.slice(0, 128))}; it has ${known}`;
    throw new MonitorRefusal("monitor_unavailable", message);
  }

  /** One that is updated keeps its place. */
  #open(id: string, definition: CheckedDefinition): void {
    this.#monitors.set(id, new Monitor(definition, this.#ground, this.#eventsOf(id)));
    if (this.#session.lifecycle === "exited") void this.#end();
  }

  #restore(saved: SavedMonitor): void {
    const { monitor_id: id, checked } = saved;
    const events = this.#eventsOf(id);
    this.#monitors.set(id, new Monitor(restoredDefinition(checked), this.#ground, events, saved));
  }

  #eventsOf(id: string): MonitorEvents {
    return {
      happened: (reason) => this.#happened(id, reason),
      changed: () => this.changed.emit(),
      gone: () => this.#drop(id),
    };
  }

  #drop(id: string): void {
    this.#monitors.get(id)?.end();
    this.#monitors.delete(id);
    this.changed.emit();
  }

  #happened(id: string, reason: MonitorEventReason): void {
    const { lifecycle, ring } = this.#session;
    this.#log.add({
      monitor_id: id,
      reason,
      lifecycle,
      cursor: cursor(ring.end),
      created_at_ms: this.#ground.clock.now(),
    });
    this.changed.emit();
  }

  #look(): void {
    const { feed, screens } = this.#ground;
    feed.look();
    screens.look();
    const { lifecycle } = this.#session;
    if (this.#isGone) this.#unlisten();
    if (lifecycle === "closed" || (lifecycle === "lost" && !feed.isBehind)) this.#finish();
    else if (lifecycle !== "running") void this.#end();
  }

  /** What looks at the output sees the last of it first. */
  async #end(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    await this.#ground.feed.caughtUp();
    await this.#ground.screens.last();
    this.#isEnding = false;
    this.#finish();
  }

  #finish(): void {
    for (const monitor of [...this.#monitors.values()]) {
      const isMet = this.#isMetByEnd(monitor.condition);
      if (isMet !== undefined) monitor.looked(isMet);
    }
    for (const monitor of [...this.#monitors.values()]) monitor.sessionEnded();
  }

  /** Undefined for conditions that the end of the program says nothing of, and where nobody knows how it ended. */
  #isMetByEnd(condition: MonitorCondition): boolean | undefined {
    const { exit } = this.#session;
    if (exit === undefined) return undefined;
    switch (condition.kind) {
      case "process_exit":
        return true;
      case "exit_code":
        return exit.code === condition.exit_code;
      case "signal":
        return exit.signal === SIGNALS[condition.signal];
      default:
        return undefined;
    }
  }
}
