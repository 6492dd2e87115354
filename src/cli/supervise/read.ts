import type { SupervisorClient } from "../../host/supervisor/client/connect-supervisor.ts";
import { resultOf } from "../../host/supervisor/client/results.ts";
import type { ReadResult, SessionFacts } from "../../host/supervisor/messages.ts";
import type { Operation } from "../../host/supervisor/operation.ts";
import { tell } from "../failure.ts";
import type { SuperviseOptions } from "./options.ts";
import { perform } from "./perform.ts";
import { printOutput } from "./print.ts";
import { onSupervisor } from "./reach.ts";
import { requestIn } from "./request.ts";
import { sessionIn } from "./session.ts";

export interface ReadOptions extends SuperviseOptions {
  /** An offset of the output in bytes. Absent: where the last read ended. */
  readonly from?: number;
  /** Of the offset. */
  readonly segment?: number;
  /** Whether page after page is read, up to the end that the output has by then. */
  readonly all?: boolean;
}

type Read = Operation<"read">;

/** Prints a page of output, or all of them. */
export async function read(text: string | undefined, options: ReadOptions): Promise<void> {
  const request =
    options.request === undefined ? undefined : await requestIn("read", options.request);
  const session_id = request === undefined ? await sessionIn(text) : request.session_id;
  await onSupervisor(false, async (client) => {
    await readOn(client, request ?? (await readOf(client, session_id, options)), options);
  });
}

async function readOn(client: SupervisorClient, first: Read, options: ReadOptions): Promise<void> {
  let next = first;
  let end: number | undefined;
  for (;;) {
    const page: ReadResult | undefined = await perform(client, "read", next, options);
    if (page === undefined) return;
    if (options.json !== true) printOutput(page.raw_output);
    end ??= page.session.output_cursor.offset;
    const at: SessionFacts["output_cursor"] | undefined = page.raw_range?.end;
    if (options.all !== true || at === undefined || at.offset >= end) return;
    next = { ...next, cursor_segment: at.segment, cursor_offset: at.offset };
  }
}

/** A read from where one was asked for, else from where the last one ended. A session that is not there is the read's to
 * refuse. */
async function readOf(
  client: SupervisorClient,
  session_id: string,
  { from, segment, json }: ReadOptions,
): Promise<Read> {
  const readFrom = ({ segment, offset }: SessionFacts["output_cursor"]) =>
    ({ action: "read", session_id, cursor_segment: segment, cursor_offset: offset }) as const;
  if (from !== undefined) return readFrom({ segment: segment ?? 1, offset: from });
  const inspection = { action: "inspect", session_id, max_events: 1 } as const;
  const output = await client.request(inspection);
  if ("failure" in output.structured) return readFrom({ segment: 1, offset: 0 });
  const { session } = resultOf("inspect", output);
  const cursor = unreadFrom(session);
  if (session.raw_gap !== null && json !== true) {
    const missing = cursor.offset - session.raw_gap.missing_from.offset;
    tell(`${missing} bytes before this are no longer kept`);
  }
  return readFrom(cursor);
}

const unreadFrom = ({ raw_gap, unread_range, output_cursor }: SessionFacts) =>
  raw_gap?.available_from ?? unread_range?.start ?? output_cursor;
