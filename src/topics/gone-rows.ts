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
  /** Whether a row of before may be there although it is not among `rows`, because what it is read from was not read yet. */
  isUnread(row: Row): boolean;
}

/** Remembers the rows that went last, for those who come for one of them. What went while nobody looked is found when
 * somebody looks again. */
export class GoneRows<Row extends { readonly id: string }> {
  /** The latest last. */
  readonly #gone = new Map<string, GoneRow<Row>>();
  #rows: readonly Row[] = [];
  /** What was stated before somebody stopped looking, and of which it is not known yet whether it is still there. */
  readonly #unseen = new Map<string, Row>();

  state({ rows, at, reasonOf, isUnread }: StatedRows<Row>): void {
    const before = this.#rows;
    if (before === rows && this.#unseen.size === 0) return;
    this.#rows = rows;
    const there = new Set<string>();
    for (const { id } of rows) {
      there.add(id);
      this.#unseen.delete(id);
      // It is there after all, so what was remembered is not how it ended.
      this.#gone.delete(id);
    }
    for (const row of before) {
      if (!there.has(row.id)) this.#remember(row, at, reasonOf(row));
    }
    for (const row of this.#unseen.values()) {
      if (isUnread(row)) continue;
      this.#unseen.delete(row.id);
      this.#remember(row, at, reasonOf(row));
    }
  }

  /** Nobody looks any more: what goes from now on is told from what stays when somebody looks again. */
  lookAway(): void {
    for (const row of this.#rows) this.#unseen.set(row.id, row);
    this.#rows = [];
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
