import { setImmediate as nextTurn } from "node:timers/promises";
import { systemClock } from "../../../time/clock.ts";
import { drawnCharacter } from "../../tmux/drawn.ts";
import { type Row, RowWriter } from "./row.ts";
import { PLAIN, type Style, styled } from "./style.ts";

/** What stands in a capture: characters that have had one column for ever, and those that have had two; attributes, links,
 * the other character set, other characters. Everything else is left out: tmux writes nothing else, and no stranger's
 * sequence comes through. */
const PARTS = new RegExp(
  [
    "([ -~\\xa1-\\xac\\xae-\\u02ff\\u2500-\\u259f]+)",
    "([\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fa5\\uac00-\\ud7a3]+)",
    "\\x1b\\[([\\d;:]*)m",
    "\\x1b\\]8;([^\\x07\\x1b;]*);([^\\x07\\x1b]*)(?:\\x07|\\x1b\\\\)",
    "([\\x0e\\x0f])",
    "([^\\0-\\x1f\\x7f-\\x9f])",
  ].join("|"),
  "gu",
);

/** How long lines are read before others get their turn, in milliseconds. */
const TURN_MS = 4;

/** What holds where a line of a capture begins. */
interface Held {
  readonly style: Style;
  readonly link: string;
  readonly isDrawing: boolean;
  /** Tells it from any other. */
  readonly name: string;
}

const held = (style: Style, link: string, isDrawing: boolean): Held => ({
  style,
  link,
  isDrawing,
  name: `${style.bytes} ${isDrawing} ${link}`,
});

interface Read {
  readonly from: Held;
  readonly to: Held;
  readonly row: Row;
}

/** Reads captures of one pane. A line that was in the last one is not read again. */
export class RowReader {
  #known = new Map<string, Read>();
  #cols = 0;

  /** What tmux writes of a line goes on from the line before. One capture at a time. */
  async read(lines: readonly string[], cols: number): Promise<Row[]> {
    const before: ReadonlyMap<string, Read> = cols === this.#cols ? this.#known : new Map();
    const now = new Map<string, Read>();
    this.#cols = cols;
    this.#known = now;
    let from = held(PLAIN, "", false);
    let turnEnds = systemClock.monotonic() + TURN_MS;
    const rows: Row[] = [];
    for (const line of lines) {
      const known = before.get(line);
      const read = known?.from.name === from.name ? known : readLine(line, from, cols);
      now.set(line, read);
      from = read.to;
      rows.push(read.row);
      if (systemClock.monotonic() < turnEnds) continue;
      await nextTurn();
      turnEnds = systemClock.monotonic() + TURN_MS;
    }
    return rows;
  }
}

function readLine(line: string, from: Held, cols: number): Read {
  const writer = new RowWriter(cols);
  let { style, link, isDrawing } = from;
  let isSame = true;
  for (const part of line.matchAll(PARTS)) {
    const [, narrow, wide, parameters, linkParameters, uri, shift, character] = part;
    if (narrow !== undefined) {
      const drawn = isDrawing ? Array.from(narrow, drawnCharacter).join("") : narrow;
      writer.writeAgreed(drawn, 1, style, link);
    } else if (wide !== undefined) writer.writeAgreed(wide, 2, style, link);
    else if (character !== undefined) writer.write(character, style, link);
    else {
      if (parameters !== undefined) style = styled(style, parameters);
      else if (uri !== undefined) link = uri === "" ? "" : `${linkParameters};${uri}`;
      else isDrawing = shift === "\x0e";
      isSame = false;
    }
  }
  return { from, to: isSame ? from : held(style, link, isDrawing), row: writer.end() };
}
