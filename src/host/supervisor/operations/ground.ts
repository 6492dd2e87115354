import type { Host } from "../../host.ts";
import type { Sessions } from "../sessions.ts";

/** What operations work with. */
export interface Ground {
  readonly host: Host;
  readonly sessions: Sessions;
  /** Aborts when the operation is cancelled: waits end, and what is done is done. */
  readonly signal: AbortSignal;
}
