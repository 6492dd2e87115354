import type { RemovalReason } from "../contract/sources.ts";

/** How many rows that are gone are remembered. */
export const MAX_GONE = 1_000;

/** A row that is not stated any more. */
export interface GoneRow<Row> {
  readonly row: Row;
  /** When it was found to be gone, in milliseconds since 1970. */
  readonly at: number;
  readonly reason: RemovalReason;
}

/** What is stated now, and why a row that is not among it is gone. */
export interface StatedRows<Row> {
  readonly rows: readonly Row[];
  readonly at: number;
  reasonOf(row: Row): RemovalReason;
}

/** Remembers the rows that went last, for those who come for one of them. What went while nobody looked is found when
 * somebody looks again. */
export class GoneRows<Row extends { readonly id: string }> {
  /** The latest last. */
  readonly #gone = new Map<string, GoneRow<Row>>();
  #rows: readonly Row[] = [];

  state({ rows, at, reasonOf }: StatedRows<Row>): void {
    const before = this.#rows;
    if (before === rows) return;
    this.#rows = rows;
    const there = new Set<string>();
    for (const { id } of rows) there.add(id);
    for (const row of before) {
      if (!there.has(row.id)) this.#remember(row, at, reasonOf(row));
    }
  }

  find(id: string): GoneRow<Row> | undefined {
    return this.#gone.get(id);
  }

  #remember(row: Row, at: number, reason: RemovalReason): void {
    this.#gone.delete(row.id);
    this.#gone.set(row.id, { row, at, reason });
    for (const oldest of this.#gone.keys()) {
      if (this.#gone.size <= MAX_GONE) return;
      this.#gone.delete(oldest);
    }
  }
}
