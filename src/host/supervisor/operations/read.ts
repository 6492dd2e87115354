import { cursor, SEGMENT } from "../../monitors/cursor.ts";
import { OperationError } from "../errors.ts";
import { READ_PAGE_BYTES } from "../limits.ts";
import type { ReadResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import { wholeCharacters } from "../whole-characters.ts";
import type { Ground } from "./ground.ts";

/** A page of output from a cursor on. What is read counts as read up to the end of the page. */
export async function read(
  { session_id, cursor_segment, cursor_offset }: Operation<"read">,
  { sessions }: Ground,
): Promise<ReadResult> {
  const session = sessions.get(session_id);
  const { ring, state } = session.terminal;
  const from = Number(cursor_offset);
  if (cursor_segment !== SEGMENT || from < ring.start || from > ring.end) {
    throw new OperationError(
      "cursor_gap",
      `the cursor must be in segment ${SEGMENT} and from ${ring.start} to ${ring.end}, got ${cursor_offset} in ${cursor_segment}`,
    );
  }
  const bytes = ring.copy(from, Math.min(ring.end, from + READ_PAGE_BYTES));
  const isLast = state !== "running" && from + bytes.length === ring.end;
  // The rest of a character that is cut is in the next page, or yet to come.
  const page = isLast ? bytes : bytes.subarray(0, wholeCharacters(bytes));
  const to = from + page.length;
  session.readOffset = to;
  return {
    session: session.facts(),
    raw_output: page.toString("utf8"),
    raw_range: page.length === 0 ? null : { start: cursor(from), end: cursor(to) },
  };
}
