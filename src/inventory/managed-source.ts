import type { ProcessFacts } from "../processes/facts.ts";
import type { ProcessInfo, ProcessSnapshot, ProcessTable } from "../processes/types.ts";
import type { Finding, Reading } from "../sources/source.ts";
import type { Clock } from "../time/clock.ts";
import { AskedPlace } from "./asked-place.ts";
import type { ObservedTerminal, TerminalSource } from "./terminal.ts";
import { isOurs } from "./unix-sockets.ts";
import { byAge, isCalled, keyOf, windowsOf } from "./windows.ts";

export interface ManagedSourceOptions {
  readonly clock: Clock;
  readonly table: ProcessTable;
  /** The program to ask with. Absent: the one that belongs to the manager which is asked. */
  readonly program?: string;
  /** Where that is looked for. Default: our own `PATH`. */
  readonly path?: string;
}

/** A process that opens terminals, and those of its children that lead a session on one, as the last sweep saw them. */
export interface Manager {
  readonly process: ProcessInfo;
  readonly windows: readonly ProcessInfo[];
}

/** One manager that can be asked by running a program. */
export interface ManagerPlace {
  /** What its readings are about, such as a socket. */
  readonly name: string;
  /** The processes were read. */
  see(manager: Manager, facts: ProcessFacts): void;
  ask(signal: AbortSignal): Promise<Finding<ObservedTerminal>>;
  /** Whether it states its terminals also while it does not answer. */
  readonly knowsByProcess?: boolean;
  stop?(): void;
}

interface Held {
  /** The place's name, and more where another place has the same. */
  readonly name: string;
  readonly place: ManagerPlace;
  readonly asked: AskedPlace;
  /** Its windows as it was asked last. Absent where it was not asked yet. */
  windows?: string;
}

/** A source of terminals whose managers are found among the processes and asked by running a program. Where none of
 * them runs nothing is run, watched or timed. One is asked when its windows differ, and at each reading. */
export abstract class ManagedSource implements TerminalSource {
  abstract readonly scheme: string;
  /** What managers are called as processes. */
  protected abstract readonly programs: readonly string[];
  protected readonly options: ManagedSourceOptions;
  #onReading: ((reading: Reading<ObservedTerminal>) => void) | undefined;
  #held = new Map<string, Held>();

  constructor(options: ManagedSourceOptions) {
    this.options = options;
  }

  /** Whether one that is called like a manager is one. */
  protected abstract isManager(manager: Manager, facts: ProcessFacts): boolean;

  /** `undefined` where it cannot be asked, or not yet. What it has to say between two questions goes to `emit`. */
  protected abstract open(
    manager: Manager,
    facts: ProcessFacts,
    emit: (finding: Finding<ObservedTerminal>) => void,
  ): ManagerPlace | undefined;

  start(onReading: (reading: Reading<ObservedTerminal>) => void): void {
    this.#onReading = onReading;
  }

  stop(): void {
    this.#onReading = undefined;
    for (const held of this.#held.values()) end(held);
    this.#held = new Map();
  }

  /** Managers are seen with the processes, which are read for every snapshot and bookmark anyway. */
  async read(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ asked }) => asked.fresh()));
  }

  tick(): void {
    for (const { asked } of this.#held.values()) asked.tick();
  }

  see(snapshot: ProcessSnapshot, facts: ProcessFacts): void {
    if (this.#onReading === undefined) return;
    const managers = this.#managersIn(snapshot, facts);
    for (const [key, held] of this.#held) {
      if (managers.has(key)) continue;
      end(held);
      this.#held.delete(key);
      this.#onReading({ name: held.name, at: snapshot.takenAt, finding: { kind: "gone" } });
    }
    for (const [key, manager] of managers) {
      const held = this.#held.get(key) ?? this.#open(manager, facts);
      if (held === undefined) continue;
      this.#held.set(key, held);
      held.place.see(manager, facts);
      const windows = manager.windows.map(keyOf).sort().join(" ");
      if (windows !== held.windows) held.asked.wake();
      held.windows = windows;
    }
    if (this.#held.size > 0) return;
    this.#onReading({ at: snapshot.takenAt, finding: { kind: "absent" } });
  }

  /** Terminals of one that does not answer are nobody's, so that they can be seen otherwise. */
  manages(process: ProcessInfo): boolean {
    const held = this.#held.get(keyOf(process));
    return held !== undefined && (held.place.knowsByProcess === true || held.asked.isAnswering);
  }

  /** All managers, oldest first, by pid and start tick. */
  #managersIn(snapshot: ProcessSnapshot, facts: ProcessFacts): Map<string, Manager> {
    const managers = new Map<number, Manager>();
    for (const process of snapshot.all()) {
      if (!this.programs.some((program) => isCalled(process, program))) continue;
      const manager = { process, windows: windowsOf(process, snapshot) };
      if (this.isManager(manager, facts)) managers.set(process.pid, manager);
    }
    // What one has forked is called like it until it has been through exec.
    const isCopy = ({ process, windows }: Manager) =>
      windows.length === 0 && managers.has(process.parent);
    const own = [...managers.values()].filter((manager) => !isCopy(manager));
    own.sort((a, b) => byAge(a.process, b.process));
    return new Map(own.map((manager) => [keyOf(manager.process), manager]));
  }

  #open(manager: Manager, facts: ProcessFacts): Held | undefined {
    // Root could ask those of others, but would have to run their programs.
    if (!isOurs(manager.process.pid)) return undefined;
    const { clock } = this.options;
    let name = "";
    const emit = (finding: Finding<ObservedTerminal>) =>
      this.#onReading?.({ name, at: clock.now(), finding });
    const place = this.open(manager, facts, emit);
    if (place === undefined) return undefined;
    // Two may have been started on one path, one after the socket of the other was deleted.
    const isTaken = [...this.#held.values()].some(({ name }) => name === place.name);
    name = isTaken ? `${place.name} (pid ${manager.process.pid})` : place.name;
    emit({ kind: "starting" });
    const asked = new AskedPlace({
      clock,
      name,
      ask: (signal) => place.ask(signal),
      onReading: (reading) => this.#onReading?.(reading),
    });
    return { name, place, asked };
  }
}

function end({ place, asked }: Held): void {
  asked.stop();
  place.stop?.();
}
