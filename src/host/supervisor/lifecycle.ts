import type { SessionLifecycle } from "../monitors/definition.ts";
import type { Terminal } from "../terminal.ts";

/** How a session stands. One is lost whose terminal went away by itself: nobody knows how its program ended. */
export function lifecycleOf({ state, isLost }: Terminal): SessionLifecycle {
  return state === "exited" && isLost ? "lost" : state;
}
