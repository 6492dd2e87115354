import { batch, computed, signal } from "@preact/signals";
import type { AnyRowChange, Subscription } from "../../client/index.ts";
import type { SourceInfo } from "../../contract/sources.ts";
import type { TerminalInfo } from "../../contract/terminals.ts";
import type { TerminalUsage } from "../../contract/usage.ts";
import { type Placed, place } from "../shared/place.ts";
import { Entry } from "./entry.ts";
import { Filtering } from "./filtering.ts";
import { type Part, partsOf } from "./parts.ts";

export const TOPICS = ["terminals", "agents", "instances", "terminals.usage"] as const;
export type ListTopic = (typeof TOPICS)[number];

/** How long a new row is marked as one, and how long a removed one stays in its place, in milliseconds. */
const FRESH_MS = 8_000;
const LEAVING_MS = 1_000;

/** How long changes wait while the page is not seen, in milliseconds: nothing is drawn then, but people are told. */
const UNSEEN_MS = 250;

/** One source and whose it is. */
export interface Standing {
  readonly host: string;
  readonly source: SourceInfo;
}

interface Outcome {
  readonly isMoved: boolean;
  readonly isOther: boolean;
}

const keyOf = ({ instance, id }: { readonly instance: string; readonly id: string }) =>
  `${instance} ${id}`;

/** The list as it stands: what the topics state, in the order in which it is shown. What comes is taken once for every
 * frame that is drawn. */
export class ListModel {
  /** Whether the terminals have been stated at all. */
  readonly isKnown = signal(false);
  readonly parts = signal<readonly Part[]>([]);
  readonly sources = signal<readonly Standing[]>([]);
  /** Instances of which nothing has been heard for longer than that may be. */
  readonly stale = signal<ReadonlySet<string>>(new Set());
  readonly hosts = signal<readonly string[]>([]);
  readonly total = computed(() => this.#sum(() => true));
  readonly needsCount = computed(() => this.#sum(({ section }) => section === "needs"));
  readonly #subscription: Subscription<ListTopic>;
  readonly #entries = new Map<string, Entry>();
  readonly filtering = new Filtering(this.parts);
  /** The one row that Tab reaches: the one that had the focus last, else the first. */
  readonly reached = computed(() => {
    const rows = this.filtering.rows.value;
    const last = this.#focused.value;
    return last !== undefined && rows.includes(last) ? last : rows[0];
  });
  readonly #focused = signal<Entry | undefined>(undefined);
  readonly #listeners = new Set<(entry: Entry, before: Placed | undefined) => void>();
  /** What has changed since it was taken last, by the keys of rows; `undefined`: the terminal is gone. */
  readonly #changed = new Map<string, TerminalInfo | undefined>();
  readonly #used = new Map<string, TerminalUsage>();
  /** Whether every terminal has to be looked at: all may be others by what runs in them, or by what their hosts are called. */
  #isAnew = true;
  #isScheduled = false;

  constructor(subscription: Subscription<ListTopic>) {
    this.#subscription = subscription;
    subscription.on("change", (change) => {
      this.#note(change);
      this.#schedule();
    });
    subscription.on("status", () => this.#schedule());
    this.#schedule();
  }

  entry(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** A row has the focus, or is about to. */
  reach(entry: Entry): void {
    this.#focused.value = entry;
  }

  /** Tells of rows that are another than before; `before` is absent of one that is new. */
  onStated(listener: (entry: Entry, before: Placed | undefined) => void): void {
    this.#listeners.add(listener);
  }

  #note(change: AnyRowChange<ListTopic>): void {
    switch (change.topic) {
      case "terminals":
        for (const row of change.changed) this.#changed.set(keyOf(row), row);
        for (const row of change.removed) this.#changed.set(keyOf(row), undefined);
        break;
      case "terminals.usage":
        for (const row of change.changed) this.#used.set(keyOf(row), row);
        for (const row of change.removed) this.#used.delete(keyOf(row));
        break;
      default:
        this.#isAnew ||= change.changed.length + change.removed.length > 0;
    }
  }

  #sum(counts: (part: Part) => boolean): number {
    let sum = 0;
    for (const part of this.parts.value) if (counts(part)) sum += part.count;
    return sum;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const take = () => {
      this.#isScheduled = false;
      batch(() => this.#take());
    };
    if (document.hidden) setTimeout(take, UNSEEN_MS);
    else requestAnimationFrame(take);
  }

  #take(): void {
    const isFirst = !this.isKnown.peek();
    this.isKnown.value ||= this.#subscription.view("terminals").instances.size > 0;
    const hosts = this.#hostNames();
    const { isMoved, isOther } = this.#takeTerminals(hosts, isFirst);
    this.#takeUsage();
    this.#takeStandings(hosts);
    if (isMoved) this.#arrange();
    else if (isOther) this.filtering.apply();
  }

  /** Answers whether the order is another one, and whether the filter leaves others in. */
  #takeTerminals(hosts: ReadonlyMap<string, string>, isFirst: boolean): Outcome {
    const rows = this.#isAnew
      ? this.#subscription.rows("terminals")
      : [...this.#changed.values()].filter((row) => row !== undefined);
    const outcome = { isMoved: false, isOther: false };
    for (const placed of place(rows, this.#subscription.rows("agents"))) {
      const { isMoved, isOther } = this.#state(placed, hosts, isFirst);
      outcome.isMoved ||= isMoved;
      outcome.isOther ||= isOther;
    }
    for (const [key, row] of this.#changed) if (row === undefined) this.#leave(key);
    this.#changed.clear();
    this.#isAnew = false;
    return outcome;
  }

  #state(placed: Placed, hosts: ReadonlyMap<string, string>, isFirst: boolean): Outcome {
    const key = keyOf(placed.terminal);
    const host = hosts.get(placed.terminal.instance) ?? "";
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.isLeaving.peek()) {
      this.#tell(this.#add(key, placed, host, !isFirst && entry === undefined), undefined);
      return { isMoved: true, isOther: true };
    }
    const before = entry.shown.peek();
    const isMoved = entry.state(placed, host);
    if (entry.shown.peek() === before) return { isMoved: false, isOther: false };
    this.#tell(entry, before);
    return { isMoved, isOther: this.filtering.isOther(entry) };
  }

  #tell(entry: Entry, before: Placed | undefined): void {
    for (const listener of this.#listeners) listener(entry, before);
  }

  #add(key: string, placed: Placed, host: string, isNew: boolean): Entry {
    const entry = new Entry(key, placed, host);
    this.#entries.set(key, entry);
    if (isNew) {
      entry.isFresh.value = true;
      setTimeout(() => {
        entry.isFresh.value = false;
      }, FRESH_MS);
    }
    return entry;
  }

  /** Nothing moves under the pointer at once. */
  #leave(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.isLeaving.peek()) return;
    entry.isLeaving.value = true;
    setTimeout(() => {
      if (this.#entries.get(key) !== entry) return;
      this.#entries.delete(key);
      batch(() => this.#arrange());
    }, LEAVING_MS);
  }

  #arrange(): void {
    this.parts.value = partsOf(this.#entries.values());
    this.filtering.apply();
    this.filtering.takeChoices();
  }

  /** What is stated of a terminal before its row is waits for that. */
  #takeUsage(): void {
    for (const [key, usage] of this.#used) {
      const entry = this.#entries.get(key);
      if (entry === undefined) continue;
      entry.use(usage);
      this.#used.delete(key);
    }
  }

  #takeStandings(hosts: ReadonlyMap<string, string>): void {
    const { instances } = this.#subscription.view("terminals");
    const stale = [...instances].filter(([, view]) => view.stale).map(([instance]) => instance);
    if (stale.join() !== [...this.stale.peek()].join()) this.stale.value = new Set(stale);
    const standings: Standing[] = [];
    for (const topic of ["terminals", "agents"] as const) {
      for (const [instance, view] of this.#subscription.view(topic).instances) {
        const host = hosts.get(instance) ?? instance.slice(0, 8);
        for (const source of view.sources ?? []) standings.push({ host, source });
      }
    }
    if (JSON.stringify(standings) !== JSON.stringify(this.sources.peek())) {
      this.sources.value = standings;
    }
    const names = [...new Set([...instances.keys()].map((one) => hosts.get(one) ?? ""))].sort();
    if (names.join("\0") !== this.hosts.peek().join("\0")) this.hosts.value = names;
  }

  #hostNames(): Map<string, string> {
    const names = new Map<string, string>();
    for (const { id, host } of this.#subscription.rows("instances")) {
      if (id !== undefined) names.set(id, host);
    }
    return names;
  }
}
