import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Entry } from "./entry.ts";
import { watchNearness } from "./nearness.ts";
import { Row, type RowContext } from "./row.tsx";

/** How many rows are drawn or left out together. */
const BLOCK_ROWS = 25;

/** How high a row is taken to be before one was drawn, in pixels. */
let rowHeight = 52;

interface RowsProps {
  readonly entries: readonly Entry[];
  /** How many rows of the page are above them. */
  readonly above: number;
  /** The row that Tab reaches: it is drawn wherever it is. */
  readonly reached: ReadonlySignal<Entry | undefined>;
  readonly context: RowContext;
}

/** Any number of rows, of which those are drawn that are near what is seen: thousands of elements take a second to make, and
 * every key of a search some tenths of one. What is not drawn keeps its room and is counted to who hears the list. */
export function Rows({ entries, above, ...rest }: RowsProps) {
  const blocks = Array.from({ length: Math.ceil(entries.length / BLOCK_ROWS) }, (_, which) => {
    const from = which * BLOCK_ROWS;
    return (
      <Block
        key={from}
        entries={entries.slice(from, from + BLOCK_ROWS)}
        from={from}
        of={entries.length}
        isFirst={above + from < 2 * BLOCK_ROWS}
        {...rest}
      />
    );
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: the one list of the rows of all blocks, which are its only children.
    <div class="rows" role="list">
      {blocks}
    </div>
  );
}

interface BlockProps extends Omit<RowsProps, "above"> {
  readonly from: number;
  readonly of: number;
  /** Whether it is near before anybody has looked where it is. */
  readonly isFirst: boolean;
}

function Block({ entries, from, of, isFirst, reached, context }: BlockProps) {
  const element = useRef<HTMLUListElement>(null);
  const count = useRef(0);
  const isNear = useSignal(isFirst);
  const isDrawn = isNear.value || (reached.value !== undefined && entries.includes(reached.value));
  count.current = isDrawn ? entries.length : 0;
  useLayoutEffect(() => {
    if (element.current === null) return;
    return watchNearness(element.current, (is, height) => {
      if (count.current > 0 && height > 0) rowHeight = height / count.current;
      isNear.value = is;
    });
  }, []);
  return (
    <ul
      class="block"
      role="presentation"
      ref={element}
      style={{ height: isDrawn ? "" : `${entries.length * rowHeight}px` }}
    >
      {isDrawn &&
        entries.map((entry, at) => (
          <Row key={entry.key} {...{ entry, of, reached, context }} at={from + at + 1} />
        ))}
    </ul>
  );
}
