import { sizeFault } from "../arguments.ts";
import { OperationError } from "../errors.ts";
import type { ResizeResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import type { Ground } from "./ground.ts";
import { requireRunning } from "./running.ts";

/** Gives a session another size. */
export async function resize(
  { session_id, rows, columns }: Operation<"resize">,
  { sessions }: Ground,
): Promise<ResizeResult> {
  const session = sessions.get(session_id);
  requireRunning(session.terminal);
  const fault = sizeFault(rows, columns);
  if (fault !== undefined) throw new OperationError("invalid_request", fault);
  await session.terminal.resize(columns, rows);
  const { size } = session.terminal;
  return { session: session.facts(), dimensions: { rows: size.rows, columns: size.cols } };
}
