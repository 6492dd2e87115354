import { InvalidArgument } from "../errors.ts";
import { MAX_INSPECTED_EVENTS } from "../limits.ts";
import type { InspectResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import type { Ground } from "./ground.ts";

/** What a session is and what its monitors told of it, also some time after it was closed. */
export async function inspect(
  { session_id, after_event_id, acknowledge_event_id, max_events }: Operation<"inspect">,
  { sessions }: Ground,
): Promise<InspectResult> {
  if (max_events < 1 || max_events > MAX_INSPECTED_EVENTS) {
    throw new InvalidArgument(
      `max_events must be from 1 to ${MAX_INSPECTED_EVENTS}, got ${max_events}`,
    );
  }
  const session = sessions.known(session_id);
  const { monitors, launched } = session;
  const page = monitors.inspect({
    after: eventId(after_event_id),
    acknowledge: eventId(acknowledge_event_id),
    max: max_events,
  });
  const { shell, cwd, command } = launched;
  return {
    session: session.facts(),
    shell,
    cwd,
    command,
    monitors: monitors.list(),
    ...page,
  };
}

/** No session comes to an id that large: whatever is beyond means the same. */
const eventId = (id: number | bigint | null | undefined) =>
  id == null ? undefined : Math.min(Number(id), Number.MAX_SAFE_INTEGER);
