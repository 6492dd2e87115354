import { setImmediate } from "node:timers/promises";
import { TURN_BYTES } from "./following-text.ts";
import { beginAt, type RecordedOutput } from "./recorded.ts";
import { PlainRenderer, type PlainText } from "./renderer.ts";

/** A reading of a terminal's output. */
export interface PlainRead extends PlainText {
  /** Where it was asked to begin, and no further than the end. Offsets of the output, in bytes. */
  readonly from: number;
  /** Where it ends. The next reading begins there. */
  readonly to: number;
  /** Bytes after `from` that are no longer kept. */
  readonly skipped: number;
}

/** The output from an offset to where it ends at the time of the call, as plain text: its last `limit` code units. Others
 * get their turn while a long one is rendered. */
export async function readPlain(
  output: RecordedOutput,
  from: number,
  limit: number,
): Promise<PlainRead> {
  const { ring, cols } = output;
  const to = ring.end;
  const asked = Math.max(0, Math.min(from, to));
  const start = Math.max(asked, ring.start);
  const renderer = new PlainRenderer({ cols, keep: limit });
  // A copy, for the ring goes on while others have their turn.
  const bytes = ring.copy(beginAt(output, start, renderer), to);
  for (let at = 0; at < bytes.length; at += TURN_BYTES) {
    if (at > 0) await setImmediate();
    renderer.feed(bytes.subarray(at, at + TURN_BYTES));
  }
  return { from: asked, to, skipped: start - asked, ...renderer.text(limit) };
}
