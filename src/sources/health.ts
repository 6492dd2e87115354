import type { SourceInfo, SourceStatus } from "../contract/sources.ts";
import { areAlike } from "./alike.ts";
import type { Fault, Finding, Reading } from "./source.ts";
import { displayText } from "./text.ts";

/** One place that rows come from, and what it said last. */
interface Place<Item> {
  readonly scheme: string;
  readonly name: string | undefined;
  status: SourceStatus;
  sinceAt: number;
  polledAt: number | undefined;
  fault: Fault | undefined;
  items: readonly Item[];
}

/** What every source said last, and how each stands. Only a positive reading takes anything away. */
export class SourceHealth<Item extends object> {
  readonly #keyOf: (item: Item) => Key;
  readonly #places = new Map<string, Place<Item>>();
  /** What the places that have ended had, for as long as somebody may ask why it is gone. */
  readonly #ended = new Set<Key>();

  /** `keyOf` tells what a source states from the rest of what it does. */
  constructor(keyOf: (item: Item) => Key) {
    this.#keyOf = keyOf;
  }

  /** Takes a reading in. Answers whether it says anything else than the last one of its place. */
  take(scheme: string, { name, at, finding }: Reading<Item>): boolean {
    const key = placeKey(scheme, name);
    const before = this.#places.get(key);
    if (finding.kind === "gone") {
      for (const item of before?.items ?? []) this.#ended.add(this.#keyOf(item));
      return this.#places.delete(key);
    }
    // What stood for the scheme before its places were known gives way to them.
    if (name !== undefined) this.#places.delete(placeKey(scheme, undefined));
    const place: Place<Item> = before ?? newPlace(scheme, name, at);
    this.#places.set(key, place);
    const last = { ...place };
    const status = finding.kind === "rows" ? "ok" : finding.kind;
    if (place.status !== status) place.sinceAt = at;
    place.status = status;
    place.fault = finding.kind === "failing" ? finding.fault : undefined;
    if (finding.kind === "rows") place.fault = finding.limited;
    if (finding.kind === "rows" || finding.kind === "absent") place.polledAt = at;
    place.items = this.#keepAlike(itemsOf(finding) ?? place.items, last.items);
    return before === undefined || !isAsBefore(place, last);
  }

  /** All that is stated. Where two places state one thing, the one of the source that is first in `order` counts,
   * by scheme; of one source, the place that was there first. */
  items(order: readonly string[] = []): Item[] {
    const rank = ({ scheme }: Place<Item>) => order.indexOf(scheme);
    const byKey = new Map<Key, Item>();
    for (const { items } of [...this.#places.values()].sort((a, b) => rank(a) - rank(b))) {
      for (const item of items) {
        const key = this.#keyOf(item);
        if (!byKey.has(key)) byKey.set(key, item);
      }
    }
    return [...byKey.values()];
  }

  /** How the place stands that states this, and when it said so. */
  placeOf(key: Key): SourceInfo | undefined {
    const place = [...this.#places.values()].find(({ items }) =>
      items.some((item) => this.#keyOf(item) === key),
    );
    return place && infoOf(place, undefined);
  }

  /** Whether something went because the place that stated it has ended, since the last call of `settle`. */
  wentWithItsPlace(key: Key): boolean {
    return this.#ended.has(key);
  }

  /** What has ended is told. */
  settle(): void {
    this.#ended.clear();
  }

  /** When the newest good reading ran. */
  get polledAt(): number | undefined {
    const times = [...this.#places.values()].flatMap(({ polledAt }) => polledAt ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  /** How each source stands. `limit` says how every one that is well falls short. */
  sources(limit: Fault | undefined): SourceInfo[] {
    return [...this.#places.values()].map((place) => infoOf(place, limit));
  }

  /** The items of a reading, and for each that says what it said before the very object that said so: what is
   * made of it need not be made again. The last list itself where nothing differs. */
  #keepAlike(items: readonly Item[], last: readonly Item[]): readonly Item[] {
    const known = new Map(last.map((item) => [this.#keyOf(item), item]));
    const kept = items.map((item) => {
      const before = known.get(this.#keyOf(item));
      return before !== undefined && areAlike(before, item) ? before : item;
    });
    const isSame = kept.length === last.length && kept.every((one, index) => one === last[index]);
    return isSame ? last : kept;
  }
}

/** What tells one thing from another among those of all sources of one kind. */
type Key = string | number;

function infoOf(place: Place<unknown>, limit: Fault | undefined): SourceInfo {
  const { scheme, name, status, sinceAt, polledAt } = place;
  const error = place.fault ?? (status === "ok" ? limit : undefined);
  const shown = displayText(name);
  return {
    scheme,
    ...(shown === undefined ? {} : { name: shown }),
    status,
    since_at: sinceAt,
    ...(polledAt === undefined ? {} : { polled_at: polledAt }),
    ...(error === undefined ? {} : { error: stated(error) }),
  };
}

/** Messages tell of paths, which strangers choose. */
const stated = ({ code, msg }: Fault): Fault => ({ code, msg: displayText(msg) ?? code });

/** The items that a finding states. `undefined` where it states none of its own, so that those of the last
 * good reading stand. */
function itemsOf<Item>(finding: Finding<Item>): readonly Item[] | undefined {
  if (finding.kind === "absent") return [];
  return finding.kind === "rows" || finding.kind === "failing" ? finding.items : undefined;
}

function isAsBefore(place: Place<unknown>, last: Place<unknown>): boolean {
  return (
    place.status === last.status &&
    place.items === last.items &&
    areAlike(place.fault ?? {}, last.fault ?? {})
  );
}

const placeKey = (scheme: string, name: string | undefined) => `${scheme}\n${name ?? ""}`;

function newPlace<Item>(scheme: string, name: string | undefined, at: number): Place<Item> {
  return {
    scheme,
    name,
    status: "starting",
    sinceAt: at,
    polledAt: undefined,
    fault: undefined,
    items: [],
  };
}
