import { nodeWebSocketTransport, unixSocketTransport } from "../client/node.ts";
import type { Transport } from "../client/transport.ts";
import { UsageError } from "./failure.ts";
import type { PublisherAddress, PublisherOptions } from "./options.ts";
import type { RunningPublisher } from "./publisher.ts";
import { readTokenFile } from "./token-file.ts";

/** Reaches the publisher that the options name; `undefined` where they name none. */
export async function reachNamed({
  url,
  tokenFile,
}: PublisherOptions): Promise<Transport | undefined> {
  if (url === undefined) {
    if (tokenFile === undefined) return undefined;
    throw new UsageError("--token-file is for the publisher at --url, which was not given");
  }
  const token =
    tokenFile === undefined ? url.token : await readTokenFile("--token-file", tokenFile);
  return nodeWebSocketTransport(url.endpoint, token === undefined ? {} : { token });
}

/** Reaches a publisher of this host; `undefined` where it does not listen yet. */
export function reachLocal({ socket }: RunningPublisher): Transport | undefined {
  return socket === undefined ? undefined : unixSocketTransport(socket);
}

/** What can be done where a publisher that was named does not let us in. */
export function tokenHint(url: PublisherAddress): string {
  return `${url.endpoint} does not accept the token, or needs one: give --token-file, or the address that \`termtopic url\` prints there`;
}
