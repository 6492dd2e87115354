import { nodeWebSocketTransport, unixSocketTransport } from "../client/node.ts";
import type { Transport } from "../client/transport.ts";
import { type AgentsFrom, type InventoryOptions, requireTogether } from "./options.ts";
import { readTokenFile } from "./token-file.ts";

/** Another publisher of this host. */
export interface Upstream {
  /** Where it is reached, for people: without a token. */
  readonly name: string;
  readonly transport: Transport;
}

/** The publishers whose agents are taken over, each once, as it was given first. Rejects where the token cannot be
 * read. An address that holds a token of its own keeps that. */
export async function upstreams(options: InventoryOptions): Promise<Upstream[]> {
  requireTogether(options);
  const { agentsFrom = [], agentsTokenFile } = options;
  const token =
    agentsTokenFile === undefined
      ? undefined
      : await readTokenFile("--agents-token-file", agentsTokenFile);
  const named = new Map<string, AgentsFrom>();
  for (const from of agentsFrom) if (!named.has(nameOf(from))) named.set(nameOf(from), from);
  return [...named].map(([name, from]) => ({ name, transport: transportTo(from, token) }));
}

const nameOf = (from: AgentsFrom) => (from.kind === "socket" ? from.path : from.endpoint);

function transportTo(from: AgentsFrom, shared: string | undefined): Transport {
  if (from.kind === "socket") return unixSocketTransport(from.path);
  const token = from.token ?? shared;
  return nodeWebSocketTransport(from.endpoint, token === undefined ? {} : { token });
}
