import { type EncodedElement, encodeElement } from "./frames.ts";
import { sameJson } from "./same.ts";

/** How many removals are remembered for readers that are behind, at least. Beyond that and the number
 * of rows, a reader that needs them gets a snapshot instead, which is then the shorter way. */
const REMOVALS_KEPT = 1_024;

/** What tells the rows of one instance apart. */
export type Key = string | number;

/** What was stated of one key at one position: a row, or that it is gone. */
export interface Version<Row> {
  readonly key: Key;
  /** Absent where it is gone. */
  readonly row?: Row;
  readonly element: EncodedElement;
  readonly position: number;
  /** Where the key named another thing before: the removal of that one. */
  readonly ending?: Version<Row> | undefined;
  /** The newest reading that stated the row. */
  reading: number;
}

interface Change {
  readonly key: Key;
  readonly position: number;
}

type LiveVersion<Row> = Version<Row> & { readonly row: Row };

/** Rows that know at which position each changed last, and removals for as long as a reader may not
 * know of them. What changed since a position is read off it, so no reader needs a queue of its own,
 * and all that is kept is bounded by the number of rows. */
export class VersionedRows<Row extends object> {
  /** The newest version of each key, remembered removals among them. */
  readonly #newest = new Map<Key, Version<Row>>();
  /** Where each key changed, in the order of the changes. All but a key's last are superseded. */
  #log: Change[] = [];
  #removals = 0;
  #reading = 0;
  /** What the reading stated, in its order; behind `#stated` what the one before it did. Most readings
   * keep their order, and then no key has to be looked up. */
  readonly #sequence: Version<Row>[] = [];
  /** How many rows the reading has stated so far. */
  #stated = 0;

  /** Begins a reading, which states every row that is there. */
  begin(): void {
    this.#reading += 1;
    this.#stated = 0;
  }

  /** States a row of the reading. Answers whether it says something new. A row whose key the reading
   * has stated already is passed over, lest the two take turns in being new. */
  state(key: Key, row: Row, position: number): boolean {
    const guess = this.#sequence[this.#stated];
    const before = guess?.key === key ? guess : this.#newest.get(key);
    if (before?.reading === this.#reading) return false;
    const isSame = before?.row !== undefined && sameJson(before.row, row);
    const version = isSame ? before : this.#restate(before, key, row, position);
    version.reading = this.#reading;
    this.#sequence[this.#stated] = version;
    this.#stated += 1;
    return !isSame;
  }

  /** The rows that are there and that the reading has not stated. */
  unstated(): readonly LiveVersion<Row>[] {
    const others: LiveVersion<Row>[] = [];
    this.#sequence.length = this.#stated;
    if (this.#stated === this.#newest.size - this.#removals) return others;
    for (const version of this.live()) {
      if (version.reading !== this.#reading) others.push(version);
    }
    return others;
  }

  remove(key: Key, removal: object, position: number): void {
    this.#removals += 1;
    this.#put({ key, element: encodeElement(removal), position, reading: 0 });
  }

  /** The rows that are there, in the order in which their keys were stated first. */
  *live(): Iterable<LiveVersion<Row>> {
    for (const version of this.#newest.values()) if (isRow(version)) yield version;
  }

  /** The newest version of every key that changed after a position, in the order of the changes. */
  since(position: number): Version<Row>[] {
    const changed: Version<Row>[] = [];
    for (let index = this.#log.length - 1; index >= 0; index -= 1) {
      const change = this.#log[index] as Change;
      if (change.position <= position) break;
      const version = this.#newestOf(change);
      if (version !== undefined) changed.push(version);
    }
    return changed.reverse();
  }

  /** Forgets what is needed only by a reader that stands before the position. */
  forget(position: number): void {
    let passed = 0;
    for (const change of this.#log) {
      if (change.position > position) break;
      passed += 1;
      const version = this.#newestOf(change);
      if (version === undefined || version.row !== undefined) continue;
      this.#newest.delete(version.key);
      this.#removals -= 1;
    }
    if (passed > 0) this.#log.splice(0, passed);
  }

  /** Whether removals are kept beyond the bound, so that all readers behind need a snapshot. */
  get isOverfull(): boolean {
    return this.#removals > Math.max(REMOVALS_KEPT, this.#newest.size - this.#removals);
  }

  clear(): void {
    this.#newest.clear();
    this.#log = [];
    this.#removals = 0;
    this.#sequence.length = 0;
  }

  #restate(before: Version<Row> | undefined, key: Key, row: Row, position: number): Version<Row> {
    const wasRemoved = before !== undefined && before.row === undefined;
    if (wasRemoved) this.#removals -= 1;
    // So that it is not taken for a row that is yet to be stated.
    if (before !== undefined) before.reading = this.#reading;
    const ending = wasRemoved ? before : before?.ending;
    const element = encodeElement(row);
    const version = { key, row, element, position, ending, reading: this.#reading };
    this.#put(version);
    return version;
  }

  #put(version: Version<Row>): void {
    const { key, position } = version;
    this.#newest.set(key, version);
    this.#log.push({ key, position });
    if (this.#log.length > 2 * (this.#newest.size + REMOVALS_KEPT)) {
      this.#log = this.#log.filter((change) => this.#newestOf(change) !== undefined);
    }
  }

  /** What a change stated, unless it is superseded. */
  #newestOf({ key, position }: Change): Version<Row> | undefined {
    const version = this.#newest.get(key);
    return version?.position === position ? version : undefined;
  }
}

const isRow = <Row>(version: Version<Row>): version is LiveVersion<Row> =>
  version.row !== undefined;
