import { requireCeiling, requireCondition } from "../arguments.ts";
import type { WaitResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import { outcomeOf } from "../outcome.ts";
import type { Ground } from "./ground.ts";

/** Waits for something of a session. Text counts for a match from where it has been read up to. */
export async function wait(
  { session_id, return_when: condition, wait_ceiling_ms }: Operation<"wait">,
  { host, sessions, signal }: Ground,
): Promise<WaitResult> {
  requireCondition(condition);
  const ceilingMs = requireCeiling(wait_ceiling_ms);
  const session = sessions.get(session_id);
  const from = session.readOffset;
  const outcome = await outcomeOf(session, { condition, ceilingMs, from, signal }, host.waiting);
  return { session: session.facts(), outcome };
}
