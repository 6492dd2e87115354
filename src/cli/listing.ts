import type { SourceInfo } from "../contract/sources.ts";
import type { TerminalInfo } from "../contract/terminals.ts";

/** The terminals of one moment, and how sure that is. */
export interface Listing {
  readonly terminals: readonly TerminalInfo[];
  readonly sources: readonly SourceInfo[];
  /** When the oldest of the readings behind it ran. Absent before the first. */
  readonly polledAt?: number;
}

const collator = new Intl.Collator("en", { numeric: true });

/** In an order that does not depend on how they were found: by manager, then as people count. */
export function inOrder(terminals: Iterable<TerminalInfo>): TerminalInfo[] {
  const schemeOf = ({ id }: TerminalInfo) => id.slice(0, id.indexOf(":"));
  return [...terminals].sort(
    (a, b) =>
      collator.compare(schemeOf(a), schemeOf(b)) ||
      collator.compare(a.name ?? "", b.name ?? "") ||
      collator.compare(a.id, b.id) ||
      collator.compare(a.instance, b.instance),
  );
}
