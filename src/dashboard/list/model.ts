import { batch, computed, signal } from "@preact/signals";
import type { Subscription } from "../../client/index.ts";
import type { SourceInfo } from "../../contract/sources.ts";
import { inOrder, type Placed, place, SECTIONS, type Section } from "../shared/place.ts";
import { Entry } from "./entry.ts";
import { Filtering } from "./filtering.ts";

export const TOPICS = ["terminals", "agents", "instances", "terminals.usage"] as const;
export type ListTopic = (typeof TOPICS)[number];

/** How long a new row is marked as one, and how long a removed one stays in its place, in milliseconds. */
const FRESH_MS = 8_000;
const LEAVING_MS = 1_000;

/** How long changes wait while the page is not seen, in milliseconds: nothing is drawn then, but people are told. */
const UNSEEN_MS = 250;

/** The rows of one host in one part of the list. */
export interface Group {
  readonly instance: string;
  readonly host: string;
  readonly entries: readonly Entry[];
}

export interface Part {
  readonly section: Section;
  readonly groups: readonly Group[];
}

/** One source and whose it is. */
export interface Standing {
  readonly host: string;
  readonly source: SourceInfo;
}

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
  readonly filtering = new Filtering(() => this.#inOrder());
  readonly #listeners = new Set<(entry: Entry, before: Placed | undefined) => void>();
  #isScheduled = false;

  constructor(subscription: Subscription<ListTopic>) {
    this.#subscription = subscription;
    subscription.on("change", () => this.#schedule());
    subscription.on("status", () => this.#schedule());
    subscription.on("frame", ({ topic }) => {
      if (topic === "terminals.usage") this.#schedule();
    });
    this.#schedule();
  }

  entry(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Tells of rows that are another than before; `before` is absent of one that is new. */
  onStated(listener: (entry: Entry, before: Placed | undefined) => void): void {
    this.#listeners.add(listener);
  }

  #sum(counts: (part: Part) => boolean): number {
    let sum = 0;
    for (const part of this.parts.value) {
      if (counts(part)) for (const { entries } of part.groups) sum += entries.length;
    }
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
    const placed = place(this.#subscription.rows("terminals"), this.#subscription.rows("agents"));
    const isMoved = this.#state(placed, hosts, isFirst);
    this.#takeUsage();
    this.#takeStandings(hosts);
    if (isMoved) this.#arrange();
  }

  /** Answers whether the order is another one. */
  #state(placed: readonly Placed[], hosts: ReadonlyMap<string, string>, isFirst: boolean): boolean {
    let isMoved = false;
    const there = new Set<string>();
    for (const one of placed) {
      const key = `${one.terminal.instance} ${one.terminal.id}`;
      const host = hosts.get(one.terminal.instance) ?? "";
      there.add(key);
      const entry = this.#entries.get(key);
      const before = entry?.shown.peek();
      if (entry === undefined || entry.isLeaving.peek()) {
        this.#tell(this.#add(key, one, host, !isFirst && entry === undefined), undefined);
        isMoved = true;
      } else if (entry.state(one, host)) {
        isMoved = true;
      }
      if (entry !== undefined && entry.shown.peek() !== before) this.#tell(entry, before);
    }
    for (const [key, entry] of this.#entries) {
      if (!there.has(key) && !entry.isLeaving.peek()) this.#leave(key, entry);
    }
    return isMoved;
  }

  #tell(entry: Entry, before: Placed | undefined): void {
    for (const listener of this.#listeners) listener(entry, before);
  }

  #add(key: string, placed: Placed, host: string, isNew: boolean): Entry {
    const entry = new Entry(key, placed, host);
    this.filtering.look(entry);
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
  #leave(key: string, entry: Entry): void {
    entry.isLeaving.value = true;
    setTimeout(() => {
      if (this.#entries.get(key) !== entry) return;
      this.#entries.delete(key);
      batch(() => this.#arrange());
    }, LEAVING_MS);
  }

  #arrange(): void {
    const bySection = new Map<Section, Entry[]>(SECTIONS.map((section) => [section, []]));
    for (const entry of this.#entries.values()) {
      bySection.get(entry.shown.peek().section)?.push(entry);
    }
    const parts: Part[] = [];
    for (const [section, entries] of bySection) {
      if (entries.length === 0) continue;
      entries.sort((a, b) => inOrder(a.shown.peek(), b.shown.peek()));
      parts.push({ section, groups: groupsOf(entries) });
    }
    this.parts.value = parts;
    this.filtering.apply();
    this.filtering.takeChoices();
  }

  *#inOrder(): Iterable<Entry> {
    for (const { groups } of this.parts.peek()) for (const { entries } of groups) yield* entries;
  }

  #takeUsage(): void {
    for (const row of this.#subscription.rows("terminals.usage")) {
      const entry = this.#entries.get(`${row.instance} ${row.id}`);
      const before = entry?.usage.peek();
      const isSame =
        before?.cpuPercent === row.cpu_percent && before.memoryBytes === row.memory_bytes;
      if (!isSame) entry?.use(row);
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

function groupsOf(entries: readonly Entry[]): Group[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { instance } = entry.shown.peek().terminal;
    const group = groups.get(instance);
    if (group === undefined) groups.set(instance, [entry]);
    else group.push(entry);
  }
  return [...groups]
    .map(([instance, group]) => ({
      instance,
      host: group[0]?.shown.peek().host ?? "",
      entries: group,
    }))
    .sort((a, b) => (a.host < b.host ? -1 : 1));
}
