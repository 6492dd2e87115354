import { onTestFinished } from "vitest";
import { type Client, connect, subscribe } from "../../src/client/index.ts";
import { nodeWebSocketTransport, unixSocketTransport } from "../../src/client/node.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import type { Publisher } from "./support.ts";

export type Carrier = "websocket" | "unix";

const transportOf = ({ ready, token }: Publisher, carrier: Carrier) =>
  carrier === "unix"
    ? unixSocketTransport(ready.socket)
    : nodeWebSocketTransport(ready.endpoint, { token });

/** A client that acts, and is closed with the test. */
export function acting(publisher: Publisher, carrier: Carrier = "unix"): Client {
  const client = connect({ transport: transportOf(publisher, carrier), reconnect: false });
  onTestFinished(() => client.close());
  return client;
}

/** The row that fits, once the publisher states one. */
export async function row(
  publisher: Publisher,
  fits: (row: TerminalInfo) => boolean,
  carrier: Carrier = "unix",
): Promise<TerminalInfo> {
  const subscription = subscribe({
    transport: transportOf(publisher, carrier),
    topics: ["terminals"],
  });
  try {
    return await new Promise((resolve) => {
      subscription.on("change", () => {
        const found = subscription.rows("terminals").find(fits);
        if (found !== undefined) resolve(found);
      });
    });
  } finally {
    subscription.close();
  }
}

/** Looks again until the text of a terminal has something in it. */
export async function shows({ terminal }: Client, id: string, text: string): Promise<string> {
  for (;;) {
    const captured = await terminal.capture(id);
    if (captured.text.includes(text)) return captured.text;
    await new Promise((turn) => setTimeout(turn, 10));
  }
}
