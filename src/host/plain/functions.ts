import type { Sequence } from "../vt/sequence.ts";
import type { Page } from "./page.ts";

/** Controls of C0 and C1 that bear on text, by their code. */
export const CONTROLS: Readonly<Record<number, (page: Page) => void>> = {
  8: (page) => page.left(1),
  9: (page) => page.tab(1),
  10: (page) => page.lineFeed(),
  11: (page) => page.lineFeed(),
  12: (page) => page.lineFeed(),
  13: (page) => page.column(0),
  132: (page) => page.lineFeed(),
  133: (page) => page.lineFeed(),
  141: (page) => page.up(1),
};

/** Escape sequences by their final byte. */
export const ESCAPES: Readonly<Record<string, (page: Page) => void>> = {
  7: (page) => page.save(),
  8: (page) => page.restore(),
};

/** Control sequences without a prefix by their final byte (ECMA-48, 8.3, and xterm's). */
export const FUNCTIONS: Readonly<Record<string, (page: Page, sequence: Sequence) => void>> = {
  "@": (page, sequence) => page.insertCells(sequence.amount()),
  A: (page, sequence) => page.up(sequence.amount()),
  B: (page, sequence) => page.down(sequence.amount()),
  C: (page, sequence) => page.right(sequence.amount()),
  D: (page, sequence) => page.left(sequence.amount()),
  E: (page, sequence) => {
    page.down(sequence.amount());
    page.column(0);
  },
  F: (page, sequence) => {
    page.up(sequence.amount());
    page.column(0);
  },
  G: (page, sequence) => page.column(sequence.amount() - 1),
  H: (page, sequence) => page.toRow(sequence.amount(), sequence.amount(1) - 1),
  I: (page, sequence) => page.tab(sequence.amount()),
  J: eraseScreen,
  K: eraseLine,
  P: (page, sequence) => page.removeCells(sequence.amount()),
  X: (page, sequence) => page.eraseCells(sequence.amount()),
  Z: (page, sequence) => page.backTab(sequence.amount()),
  "`": (page, sequence) => page.column(sequence.amount() - 1),
  a: (page, sequence) => page.right(sequence.amount()),
  d: (page, sequence) => page.toRow(sequence.amount(), page.at),
  e: (page, sequence) => page.down(sequence.amount()),
  f: (page, sequence) => page.toRow(sequence.amount(), sequence.amount(1) - 1),
  // A scroll region sends the cursor to the first row.
  r: (page) => page.freshLine(),
  s: (page) => page.save(),
  u: (page) => page.restore(),
};

/** A screen that is cleared takes nothing back: what was said on it stays said. */
export function eraseScreen(page: Page, sequence: Sequence): void {
  const part = sequence.value(0, 0);
  if (part === 0) page.eraseBelow();
  else if (part === 1) page.eraseLeft();
  else page.freshLine();
}

export function eraseLine(page: Page, sequence: Sequence): void {
  const part = sequence.value(0, 0);
  if (part === 0) page.eraseRight();
  else if (part === 1) page.eraseLeft();
  else if (part === 2) page.eraseLine();
}
