import type { Host } from "../../host.ts";
import type { Sandboxes } from "../../sandbox/sandbox.ts";
import type { DurableSessions } from "../durable/durable.ts";
import type { Sessions } from "../sessions.ts";

/** What operations work with. */
export interface Ground {
  readonly host: Host;
  readonly sessions: Sessions;
  readonly sandboxes: Sandboxes;
  /** Absent where no sessions outlive the host. */
  readonly durable: DurableSessions | undefined;
  /** Aborts when the operation is cancelled: waits end, and what is done is done. */
  readonly signal: AbortSignal;
}
