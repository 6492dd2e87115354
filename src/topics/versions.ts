import { type EncodedElement, encodeElement } from "./frames.ts";

/** How many removals are remembered for readers that are behind, at least. Beyond that and the number
 * of rows, a reader that needs them gets a snapshot instead, which is then the shorter way. */
const REMOVALS_KEPT = 1_024;

/** What was stated of one key at one position: a row, or that it is gone. */
export interface Version<Row> {
  readonly key: string;
  /** Absent where it is gone. */
  readonly row?: Row;
  readonly element: EncodedElement;
  readonly position: number;
  /** Where the key named another thing before: the removal of that one. */
  readonly ending?: Version<Row>;
}

type LiveVersion<Row> = Version<Row> & { readonly row: Row };

/** Rows that know at which position each changed last, and removals for as long as a reader may not
 * know of them. What changed since a position is read off it, so no reader needs a queue of its own,
 * and all that is kept is bounded by the number of rows. */
export class VersionedRows<Row extends object> {
  /** The newest version of each key, remembered removals among them. */
  readonly #newest = new Map<string, Version<Row>>();
  /** Versions in the order in which they came. One that is not the newest of its key is superseded. */
  #log: Version<Row>[] = [];
  #removals = 0;

  get(key: string): Row | undefined {
    return this.#newest.get(key)?.row;
  }

  set(key: string, row: Row, position: number): void {
    const before = this.#newest.get(key);
    const wasRemoved = before !== undefined && before.row === undefined;
    if (wasRemoved) this.#removals -= 1;
    const ending = wasRemoved ? before : before?.ending;
    const element = encodeElement(row);
    this.#put({ key, row, element, position, ...(ending === undefined ? {} : { ending }) });
  }

  remove(key: string, removal: object, position: number): void {
    this.#removals += 1;
    this.#put({ key, element: encodeElement(removal), position });
  }

  /** The rows that are there, in the order in which their keys were stated first. */
  *live(): Iterable<LiveVersion<Row>> {
    for (const version of this.#newest.values()) if (isRow(version)) yield version;
  }

  /** The rows that are there and whose key is not among those. */
  except(keys: ReadonlyMap<string, unknown>): readonly LiveVersion<Row>[] {
    const others: LiveVersion<Row>[] = [];
    for (const version of this.live()) if (!keys.has(version.key)) others.push(version);
    return others;
  }

  /** The newest version of every key that changed after a position, in the order of the changes. */
  since(position: number): Version<Row>[] {
    const changed: Version<Row>[] = [];
    for (let index = this.#log.length - 1; index >= 0; index -= 1) {
      const version = this.#log[index] as Version<Row>;
      if (version.position <= position) break;
      if (this.#newest.get(version.key) === version) changed.push(version);
    }
    return changed.reverse();
  }

  /** Forgets what is needed only by a reader that stands before the position. */
  forget(position: number): void {
    let passed = 0;
    for (const version of this.#log) {
      if (version.position > position) break;
      passed += 1;
      if (version.row !== undefined || this.#newest.get(version.key) !== version) continue;
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
  }

  #put(version: Version<Row>): void {
    this.#newest.set(version.key, version);
    this.#log.push(version);
    if (this.#log.length > 2 * (this.#newest.size + REMOVALS_KEPT)) {
      this.#log = this.#log.filter((logged) => this.#newest.get(logged.key) === logged);
    }
  }
}

const isRow = <Row>(version: Version<Row>): version is LiveVersion<Row> =>
  version.row !== undefined;
