import type { Ring } from "../ring.ts";
import type { VtHandler } from "../vt/parser.ts";
import { VtParser } from "../vt/parser.ts";
import type { SafePoints } from "../vt/safe-points.ts";
import type { PlainRenderer } from "./renderer.ts";

/** A terminal's output as it is kept, and what its scanner knows of it. Both have been given the same bytes. */
export interface RecordedOutput {
  readonly ring: Ring;
  readonly scanner: { readonly points: SafePoints; readonly parser: VtParser };
  /** Cells of a row now. */
  readonly cols: number;
}

/**
 * Brings a new renderer to where the text from an offset on begins: inside of whatever is open there, and in the column
 * where the cursor is, as far as the step before tells. The offset must be one that the ring has. Answers the offset from
 * which the renderer is to be fed.
 *
 * A character or sequence belongs to the reading that its last byte is in. So two readings, the second from where the
 * first ended, show each character once and whole, wherever the cut is.
 */
export function beginAt(output: RecordedOutput, from: number, renderer: PlainRenderer): number {
  const { ring, scanner } = output;
  const before = scanner.points.before(from);
  if (before === undefined || before < ring.floor) return goOnAfter(output, from, renderer);
  for (let at = before; at < from; ) {
    const bytes = ring.slice(at, from - at);
    renderer.feed(bytes);
    at += bytes.length;
  }
  renderer.begin();
  return from;
}

/** Brings a renderer to the first safe point after the offset, and answers it. Where there is none, what is open at the end
 * of the output was open at the offset already. */
export function goOnAfter(
  { ring, scanner }: RecordedOutput,
  from: number,
  renderer: PlainRenderer,
): number {
  const after = scanner.points.after(from);
  renderer.resume(after === undefined ? scanner.parser : NOTHING_OPEN);
  return after ?? ring.end;
}

const HANDLES_NOTHING: VtHandler = {
  text() {},
  character() {},
  control() {},
  escape() {},
  csi() {},
  dcs() {},
};

const NOTHING_OPEN = new VtParser(HANDLES_NOTHING);
