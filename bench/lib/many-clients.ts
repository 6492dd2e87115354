import { once } from "node:events";
import WebSocket from "ws";
import { PROTOCOL_VERSION } from "../../src/contract/envelope.ts";
import { answerParent, Child } from "./child.ts";
import { quantile } from "./figures.ts";
import { nowAt, stampsIn } from "./stamps.ts";

const CONNECTING_AT_ONCE = 50;

/** Where clients connect to. With a token it is a publisher, whose terminals they subscribe to. */
export interface Served {
  readonly url: string;
  readonly token?: string;
  /** Whether what comes first is what there is, and not measured. */
  readonly isStated: boolean;
}

export interface Received {
  readonly deliveries: number;
  readonly p50: number;
  readonly p99: number;
}

type Request =
  | { readonly do: "connect"; readonly count: number; readonly served: Served }
  | { readonly do: "collect" };

/** Many WebSockets in a process of their own. */
export class ManyClients {
  readonly #child = new Child<Request>(import.meta.url, "clients");

  connect(count: number, served: Served): Promise<void> {
    return this.#child.ask({ do: "connect", count, served });
  }

  /** What arrived since the last call. */
  collect(): Promise<Received> {
    return this.#child.ask({ do: "collect" });
  }

  end(): Promise<void> {
    return this.#child.end();
  }
}

function clients(): void {
  let latencies: number[] = [];
  const receive = (data: Buffer) => {
    const [sent] = stampsIn(data.toString("latin1"));
    if (sent !== undefined && sent > 0) latencies.push(nowAt() - sent);
  };
  answerParent<Request>(async (request) => {
    if (request.do === "connect") {
      for (let first = 0; first < request.count; first += CONNECTING_AT_ONCE) {
        const count = Math.min(CONNECTING_AT_ONCE, request.count - first);
        const some = Array.from({ length: count }, () => connect(request.served, receive));
        await Promise.all(some);
      }
      return undefined;
    }
    const collected = latencies;
    latencies = [];
    return {
      deliveries: collected.length,
      p50: quantile(collected, 0.5),
      p99: quantile(collected, 0.99),
    } satisfies Received;
  });
}

/** Resolves once frames are on their way: after the snapshot, where there is one. */
async function connect(
  { url, token, isStated }: Served,
  receive: (data: Buffer) => void,
): Promise<void> {
  const protocols = token === undefined ? [] : ["ccmsg.v1", `ccmsg.token.${token}`];
  const socket = new WebSocket(url, protocols, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  const stated = new Promise<void>((resolve) => {
    socket.on("message", (data: Buffer) => {
      if (data.includes('"snapshot":true')) resolve();
    });
  });
  await once(socket, "open");
  if (token !== undefined) {
    const greeting = { op: "hello.user", request_id: "1", protocol_version: PROTOCOL_VERSION };
    const subscription = { op: "topic.subscribe", request_id: "2", topic: "terminals" };
    socket.send(`${JSON.stringify(greeting)}\n`);
    await once(socket, "message");
    socket.send(`${JSON.stringify(subscription)}\n`);
  }
  if (isStated) await stated;
  socket.removeAllListeners("message");
  socket.on("message", receive);
}

export const roles = { clients };
