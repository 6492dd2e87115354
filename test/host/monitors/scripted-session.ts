import { type CheckedDefinition, checkedDefinition } from "../../../src/host/monitors/check.ts";
import { Deadlines } from "../../../src/host/monitors/deadlines.ts";
import type {
  MonitorCondition,
  MonitorDefinition,
  SessionLifecycle,
} from "../../../src/host/monitors/definition.ts";
import { Monitors } from "../../../src/host/monitors/monitors.ts";
import { ProbeQueue } from "../../../src/host/monitors/probe-queue.ts";
import type { SavedMonitors } from "../../../src/host/monitors/saved.ts";
import type { MonitoredSession } from "../../../src/host/monitors/session.ts";
import { Ring } from "../../../src/host/ring.ts";
import { Signal } from "../../../src/host/signal.ts";
import type { Clock } from "../../../src/time/clock.ts";

/** A session that says what the test has it say. */
export class ScriptedSession implements MonitoredSession {
  readonly environment = { PATH: process.env["PATH"] ?? "" };
  readonly workspaceRoot: string;
  readonly ring: Ring;
  readonly monitors: Monitors;
  lifecycle: SessionLifecycle = "running";
  exit: MonitoredSession["exit"];
  screen = "";
  /** How often the screen was read. */
  reads = 0;
  /** What a reading of the screen waits for. */
  hold: Promise<void> = Promise.resolve();
  readonly #output = new Signal();

  /** `saved`: goes on with the monitors of an earlier one; `origin`: where the output begins that is still kept. */
  constructor(
    clock: Clock,
    { root = "/", limit = 1024 * 1024, parts = partsOf(clock), origin = 0 } = {},
    saved?: SavedMonitors,
  ) {
    this.workspaceRoot = root;
    this.ring = new Ring(limit, origin);
    this.monitors = new Monitors(this, parts, saved);
  }

  onOutput(listener: () => void): () => void {
    return this.#output.on(listener);
  }

  async screenText(): Promise<string> {
    this.reads += 1;
    await this.hold;
    return this.screen;
  }

  write(output: string | Uint8Array): void {
    this.ring.append(Buffer.from(output));
    this.#output.emit();
  }

  /** Its program ends. */
  end(exit: NonNullable<MonitoredSession["exit"]>): void {
    this.exit = exit;
    this.become("exited");
  }

  become(lifecycle: SessionLifecycle): void {
    this.lifecycle = lifecycle;
    this.#output.emit();
  }

  /** Adds a monitor that tells of a match and stays, unless something else is said. */
  async add(condition: MonitorCondition, more: Partial<MonitorDefinition> = {}): Promise<string> {
    return this.monitors.add(await this.check(condition, more));
  }

  check(
    condition: MonitorCondition,
    more: Partial<MonitorDefinition> = {},
  ): Promise<CheckedDefinition> {
    return checkedDefinition(defined(condition, more), this.workspaceRoot);
  }

  /** Events as `monitor-1 matched`, all of them. */
  get told(): string[] {
    const { events } = this.monitors.inspect({ after: 0, max: 256 });
    return events.map(({ monitor_id, reason }) => `${monitor_id} ${reason}`);
  }

  get states(): string[] {
    return this.monitors.list().map(({ monitor_id, state }) => `${monitor_id} ${state}`);
  }
}

export function partsOf(clock: Clock, probes = new ProbeQueue(clock)) {
  return { clock, deadlines: new Deadlines(clock), probes };
}

export function defined(
  condition: MonitorCondition,
  more: Partial<MonitorDefinition> = {},
): MonitorDefinition {
  return {
    condition,
    notify: { kind: "on_match" },
    lifetime: { kind: "until_session_end" },
    ...more,
  };
}
