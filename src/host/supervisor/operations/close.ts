import { FORCED, GRACEFUL } from "../../pty/kill-tree.ts";
import type { CloseResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import type { Ground } from "./ground.ts";

/** Ends whatever runs in a session and takes it away. Its monitors' events can be inspected for a while. */
export async function close(
  { session_id, close_policy: policy }: Operation<"close">,
  { host, sessions }: Ground,
): Promise<CloseResult> {
  const { terminal } = sessions.get(session_id);
  await host.close(terminal, policy === "force" ? FORCED : GRACEFUL);
  return { session: sessions.known(session_id).facts(), policy };
}
