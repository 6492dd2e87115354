import { type Signal, signal } from "@preact/signals";
import type { TerminalUsage } from "../../contract/usage.ts";
import type { Placed } from "../shared/place.ts";
import { harnessOf, managerOf, type StateWord, stateOf } from "../shared/state.ts";
import type { Filtered } from "./filter.ts";

/** How many samples the line of a terminal's processor time shows. */
const SAMPLES = 30;

/** What a terminal uses, now and of late. */
export interface Usage {
  readonly cpuPercent: number;
  readonly memoryBytes: number;
  /** Processor time by sample, the latest last. */
  readonly history: readonly number[];
}

/** What one row shows. */
export interface Shown extends Placed {
  readonly state: StateWord;
  readonly host: string;
}

/** One terminal of the list. Each part is a signal of its own, so that a change draws one row anew. */
export class Entry {
  readonly key: string;
  readonly shown: Signal<Shown>;
  readonly usage = signal<Usage | undefined>(undefined);
  /** Whether it came while somebody was looking, a moment ago. */
  readonly isFresh = signal(false);
  /** Whether it is gone, a moment ago. */
  readonly isLeaving = signal(false);
  /** Whether the filter leaves it in, as it was applied last. */
  isIn = false;
  #filtered: Filtered | undefined;

  constructor(key: string, placed: Placed, host: string) {
    this.key = key;
    this.shown = signal(shownOf(placed, host));
  }

  /** Takes what is stated now; answers whether its place in the list is another one. */
  state(placed: Placed, host: string): boolean {
    const before = this.shown.peek();
    const isSame =
      before.terminal === placed.terminal &&
      before.agent === placed.agent &&
      before.section === placed.section &&
      before.host === host;
    if (isSame) return false;
    this.#filtered = undefined;
    this.shown.value = shownOf(placed, host);
    const isElsewhere = before.section !== placed.section || before.host !== host;
    return isElsewhere || orderOf(before) !== orderOf(placed);
  }

  use({ cpu_percent: cpuPercent, memory_bytes: memoryBytes }: TerminalUsage): void {
    const before = this.usage.peek();
    const history = [...(before?.history ?? []), cpuPercent].slice(-SAMPLES);
    this.usage.value = { cpuPercent, memoryBytes, history };
  }

  get filtered(): Filtered {
    this.#filtered ??= filteredOf(this.shown.peek());
    return this.#filtered;
  }
}

function shownOf(placed: Placed, host: string): Shown {
  const { terminal, agent, section } = placed;
  return { ...placed, host, state: stateOf(terminal, agent, section === "starting") };
}

/** What the order goes by. */
const orderOf = ({ terminal, agent }: Placed) =>
  `${terminal.started_at} ${agent?.sid} ${agent?.status_at}`;

function filteredOf({ terminal, agent, state, host }: Shown): Filtered {
  const { command, name, title, cwd, foreground, id, tty } = terminal;
  const words = [
    ...command,
    ...[name, title, cwd, foreground, id, decoded(id), tty, host],
    ...[agent?.name, agent?.status, agent?.waiting_for, agent?.sid, state.word],
  ];
  return {
    text: words
      .filter((word) => word !== undefined)
      .join(" ")
      .toLowerCase(),
    host,
    state: state.word,
    agent: harnessOf(terminal) ?? (agent === undefined ? "" : "other"),
    manager: managerOf(terminal),
  };
}

/** An id as people read it. */
export function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
