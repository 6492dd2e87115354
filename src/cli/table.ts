import type { Colors } from "./output.ts";
import { cells, cut } from "./text.ts";

/** One column of a table for people. */
export interface Column<Row> {
  readonly title: string;
  /** Clean text; empty where there is nothing to say. */
  cell(row: Row): string;
  /** Colours a cell that has its final width. */
  paint?(text: string, row: Row): string;
  /** How narrow it may become. Absent: it is never cut. */
  readonly least?: number;
  /** Which end of a cell is cut off. Default `end`. */
  readonly missing?: "start" | "end";
  /** When it is left out where there is no room for all: the lowest goes first. Absent: as the last. */
  readonly leaves?: number;
}

const GAP = "  ";

/** Lays rows out in columns, heading first. Columns without any text are left out. Where `width` is given no line
 * takes more cells: columns are left out until the rest can be
 * cut to that, and of those the widest are cut. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
  colors: Colors,
): string[] {
  const filled = columns
    .map((column) => ({ column, texts: rows.map((row) => column.cell(row)) }))
    .filter(({ texts }) => texts.some((text) => text !== ""))
    .map(({ column, texts }) => ({
      column,
      texts,
      width: Math.max(cells(column.title), ...texts.map(cells)),
    }));
  if (width !== undefined) squeeze(filled, width);
  const last = filled.length - 1;
  const line = (cellOf: (index: number) => { text: string; paint?: (text: string) => string }) =>
    filled
      .map(({ column, width: columnWidth }, index) => {
        const { text, paint = (plain) => plain } = cellOf(index);
        const shown = cut(text, columnWidth, column.missing);
        const padding = index === last ? "" : " ".repeat(columnWidth - cells(shown));
        return paint(shown) + padding;
      })
      .join(GAP)
      .trimEnd();
  return [
    line((index) => ({ text: filled[index]?.column.title ?? "", paint: colors.bold })),
    ...rows.map((row, number) =>
      line((index) => {
        const { column, texts } = filled[index] as (typeof filled)[number];
        return {
          text: texts[number] ?? "",
          paint: (text) => column.paint?.(text, row) ?? text,
        };
      }),
    ),
  ];
}

interface Filled {
  readonly column: Pick<Column<never>, "least" | "leaves">;
  width: number;
}

function squeeze(filled: Filled[], width: number): void {
  while (filled.length > 1 && lineWidth(filled, leastOf) > width) {
    const order = filled.map(({ column: { leaves = Number.POSITIVE_INFINITY } }) => leaves);
    // Of those that leave together the one at the end goes.
    filled.splice(order.lastIndexOf(Math.min(...order)), 1);
  }
  for (;;) {
    const excess = lineWidth(filled, (one) => one.width) - width;
    if (excess <= 0) return;
    const [first, second] = filled
      .filter((one) => one.width > leastOf(one))
      .sort((a, b) => b.width - a.width);
    if (first === undefined) {
      for (const only of filled) only.width = width;
      return;
    }
    // Down to the next widest, so that all give in alike.
    const step = Math.max(1, first.width - (second?.width ?? 0));
    first.width -= Math.min(step, first.width - leastOf(first), excess);
  }
}

const leastOf = ({ column: { least }, width }: Filled) => Math.min(least ?? width, width);

const lineWidth = (filled: readonly Filled[], widthOf: (one: Filled) => number) =>
  filled.reduce((sum, one) => sum + widthOf(one), 0) + GAP.length * (filled.length - 1);
