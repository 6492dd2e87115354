import type { RunningServer, ServerOptions } from "./options.ts";

export type { RunningServer, ServerIdentity, ServerOptions, StopKind } from "./options.ts";

/** Serves the hub's topics over WebSocket and Unix socket. Rejects where it cannot listen, or where an
 * option would open it to others without saying so. */
export async function createServer(options: ServerOptions): Promise<RunningServer> {
  throw new Error(`port ${options.port} is not served yet`);
}
