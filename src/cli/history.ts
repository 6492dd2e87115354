import type { AnyRowChange, TopicView } from "../client/types.ts";
import type { TopicFrame } from "../contract/envelope.ts";
import { isRemoval } from "../contract/rows.ts";
import type { RemovalReason } from "../contract/sources.ts";
import type { TerminalElement, TerminalInfo } from "../contract/terminals.ts";

/** What became of a terminal.
 *
 * - `listed`: it was there before its publisher was listened to.
 * - `opened`: it is new.
 * - `changed`: its row is another than `before`.
 * - `gone`: its row is, as it was last. */
export type TerminalEvent =
  | { readonly kind: "listed"; readonly row: TerminalInfo }
  | { readonly kind: "opened"; readonly row: TerminalInfo }
  | { readonly kind: "changed"; readonly row: TerminalInfo; readonly before: TerminalInfo }
  | { readonly kind: "gone"; readonly row: TerminalInfo; readonly reason?: RemovalReason };

/** What is remembered of one publisher. */
interface Known {
  readonly rows: Map<string, TerminalInfo>;
  /** Rows that went with their publisher: nothing is known of the terminals themselves until it is back. */
  readonly away: Map<string, TerminalInfo>;
  /** Whether all its sources have been read since it began. A row that comes before is not new. */
  settled: boolean;
}

/** Tells what became of terminals from what became of rows, over connections and starts of the publisher. */
export class History {
  readonly #known = new Map<string, Known>();
  readonly #reasons = new Map<string, RemovalReason>();

  /** Takes note of why rows go. Every frame is to be seen before the change that it makes. */
  note({ instance, data }: TopicFrame): void {
    for (const element of (data as { terminals: TerminalElement[] }).terminals) {
      const key = keyOf(instance, element.id);
      if (!isRemoval(element)) this.#reasons.delete(key);
      else if (element.reason !== undefined) this.#reasons.set(key, element.reason);
    }
  }

  take(change: AnyRowChange<"terminals">, view: TopicView<TerminalInfo>): TerminalEvent[] {
    const { instance, changed, removed } = change;
    const known = this.#of(instance);
    const gone = removed.map((row) => this.#removed(known, row));
    const came = changed.map((row) => added(known, row));
    const { sources = [] } = view.instances.get(instance) ?? {};
    const isRead = sources.every(({ status }) => status !== "starting");
    // Of a publisher that stopped, what it states when it is back is a beginning again.
    const stops = removed.some(({ id }) => known.away.has(id));
    if (!stops && isRead) known.away.clear();
    known.settled = !stops && (known.settled || isRead);
    this.#reasons.clear();
    return [...gone, ...came];
  }

  #of(instance: string): Known {
    const known = this.#known.get(instance) ?? { rows: new Map(), away: new Map(), settled: false };
    this.#known.set(instance, known);
    return known;
  }

  #removed(known: Known, row: TerminalInfo): TerminalEvent {
    const reason = this.#reasons.get(keyOf(row.instance, row.id));
    known.rows.delete(row.id);
    if (reason === "instance_stopped" || reason === "instance_lost") known.away.set(row.id, row);
    return { kind: "gone", row, ...(reason === undefined ? {} : { reason }) };
  }
}

function added({ rows, away, settled }: Known, row: TerminalInfo): TerminalEvent {
  const before = rows.get(row.id);
  const last = before ?? away.get(row.id);
  rows.set(row.id, row);
  if (before !== undefined) return { kind: "changed", row, before };
  if (last !== undefined && last.state !== row.state) return { kind: "changed", row, before: last };
  return { kind: settled ? "opened" : "listed", row };
}

const keyOf = (instance: string, id: string) => `${instance} ${id}`;

/** Whether a terminal has just come into a state: it was in another one, or it is new. */
export function enters(event: TerminalEvent, state: string): boolean {
  if (event.kind === "gone" || event.kind === "listed" || event.row.state !== state) return false;
  return event.kind === "opened" || event.before.state !== state;
}
