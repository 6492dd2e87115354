import { drawnCharacter } from "../../tmux/drawn.ts";
import { type Row, RowWriter } from "./row.ts";
import { PLAIN, type Style, sgr, styled } from "./style.ts";

/** What stands in a capture: attributes, links, the other character set, characters. Everything else is left out: tmux
 * writes nothing else, and no stranger's sequence comes through. */
const PARTS =
  /([ -~]+)|\x1b\[([\d;:]*)m|\x1b\]8;([^\x07\x1b;]*);([^\x07\x1b]*)(?:\x07|\x1b\\)|([\x0e\x0f])|([^\0-\x1f\x7f-\x9f])/gu;

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
  name: `${sgr(style)} ${isDrawing} ${link}`,
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

  /** What tmux writes of a line goes on from the line before. */
  read(lines: readonly string[], cols: number): Row[] {
    const before: ReadonlyMap<string, Read> = cols === this.#cols ? this.#known : new Map();
    this.#cols = cols;
    this.#known = new Map();
    let from = held(PLAIN, "", false);
    return lines.map((line) => {
      const known = before.get(line);
      const read = known?.from.name === from.name ? known : readLine(line, from, cols);
      this.#known.set(line, read);
      from = read.to;
      return read.row;
    });
  }
}

function readLine(line: string, from: Held, cols: number): Read {
  const writer = new RowWriter(cols);
  let { style, link, isDrawing } = from;
  let isSame = true;
  for (const [, ascii, parameters, linkParameters, uri, shift, character] of line.matchAll(PARTS)) {
    if (ascii !== undefined && !isDrawing) writer.writeAscii(ascii, style, link);
    else if (ascii !== undefined) {
      for (const letter of ascii) writer.write(drawnCharacter(letter), style, link);
    } else if (character !== undefined) writer.write(character, style, link);
    else {
      if (parameters !== undefined) style = styled(style, parameters);
      else if (uri !== undefined) link = uri === "" ? "" : `${linkParameters};${uri}`;
      else isDrawing = shift === "\x0e";
      isSame = false;
    }
  }
  return { from, to: isSame ? from : held(style, link, isDrawing), row: writer.end() };
}
