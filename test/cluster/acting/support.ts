import { randomBytes } from "node:crypto";
import { type Authenticator, connect, type NatsConnection } from "@nats-io/transport-node";
import { pino } from "pino";
import { Acting } from "../../../src/acting/acting.ts";
import type { TerminalCall, TerminalOps } from "../../../src/acting/ops/call.ts";
import { PublishedTerminalOps } from "../../../src/acting/ops/terminal-ops.ts";
import { openPtyView } from "../../../src/acting/views/pty.ts";
import { PublishedViews, type Views } from "../../../src/acting/views/published.ts";
import { callsOfPeer } from "../../../src/cli/peer-calls.ts";
import { connect as connectClient } from "../../../src/client/connect.ts";
import { nodeWebSocketTransport } from "../../../src/client/node.ts";
import { DistantActing } from "../../../src/cluster/acting/acting.ts";
import type { DistantLook, DistantLooker } from "../../../src/cluster/acting/views.ts";
import { Bus } from "../../../src/cluster/bus.ts";
import { inboxPrefix } from "../../../src/cluster/subjects.ts";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import { connectHost } from "../../../src/host/client/connect-host.ts";
import { createMetrics } from "../../../src/server/metrics.ts";
import { TerminalCalls } from "../../../src/server/terminal-calls.ts";
import { type Clock, systemClock } from "../../../src/time/clock.ts";
import { table } from "../../acting/support.ts";
import { serveHost } from "../../host/channel/served-host.ts";
import { CuttableLink } from "../../lib/nats/link.ts";
import { type NatsOptions, NatsServer } from "../../lib/nats/server.ts";
import { afterTest, startServer, TOKEN } from "../../server/support.ts";
import { LOOK } from "../../server/views/support.ts";

export const BUCKET = "test";

/** How much faster time passes for what waits for a sign of the other side. */
const HASTE = 10;

const hastyClock: Clock = {
  ...systemClock,
  schedule: (delayMs, task) => systemClock.schedule(delayMs / HASTE, task),
};

/** A nats-server for one test. */
export async function bus(options?: NatsOptions): Promise<NatsServer> {
  const server = await NatsServer.start(options);
  afterTest(() => server.end());
  return server;
}

export interface PublisherOptions {
  /** Whether silence of the other side is noticed soon. */
  readonly isHasty?: boolean;
  /** The views of terminals here. Default: those of a host of its own. */
  readonly views?: Views;
  /** Default: one of its own. */
  readonly instance?: string;
  readonly authenticator?: Authenticator;
}

/** One publisher of several: a host with real terminals, a server, and a link to the bus that the test disturbs. What is not
 * `unlisted` is listed. */
export async function publisher(
  nats: NatsServer,
  { isHasty = false, ...given }: PublisherOptions = {},
) {
  const { instance = randomBytes(16).toString("hex"), authenticator } = given;
  const host = await serveHost();
  const { path } = host;
  const session = (await connectHost({ path })).session("any");
  const aliases = new Map<string, string>();
  const find = async (id: string): Promise<TerminalInfo | undefined> => {
    if (id.endsWith("unlisted")) return undefined;
    return { instance, id: aliases.get(id) ?? id, state: "running", command: [] };
  };
  const channel = async () => path;
  const acting = new Acting({ table, channel });
  const terminals = new CountedOps(
    new PublishedTerminalOps({ acting, find, gone: () => undefined }),
  );
  const schemes = { pty: openPtyView(channel) };
  const views = given.views ?? new PublishedViews({ instance, find, schemes });
  const clock = isHasty ? hastyClock : systemClock;
  const services = {
    terminals,
    clock,
    log: pino({ level: "silent" }),
    metrics: createMetrics(),
    identity: { instance },
  };
  const lookers: DistantLooker[] = [];
  const looks: DistantLook[] = [];
  const distant = new DistantActing({
    ...{ instance, bucket: BUCKET, clock, terminals, views },
    viewed(looker) {
      lookers.push(looker);
      return (look) => {
        looks.push({ shown: look.shown, typed: look.typed });
      };
    },
    callsFrom: () => callsOfPeer(new TerminalCalls(services, "nats")),
  });
  const link = await CuttableLink.to(nats.port);
  let look = () => {};
  let isUp = false;
  const standing = (is: boolean) => {
    isUp = is;
    look();
  };
  const way = new Bus(
    {
      ...{ servers: [link.url], bucket: BUCKET, instance, clock: systemClock },
      ...(authenticator === undefined ? {} : { authenticator }),
    },
    {
      connected: (connection) => distant.connected(connection),
      up() {
        distant.up();
        standing(true);
      },
      down() {
        distant.down();
        standing(false);
      },
      refused() {},
    },
  );
  afterTest(async () => {
    await way.stop();
    await link.end();
  });
  /** Resolves once it can be reached over the bus, or cannot. */
  const becomes = async (is: boolean) => {
    while (isUp !== is) await new Promise<void>((resolve) => (look = resolve));
  };
  await becomes(true);
  const server = await startServer({
    views: distant.views,
    terminals: distant.terminals,
    readOnlyToken: LOOK,
    clock: systemClock,
    identity: { instance, version: "0.0.0-test", startedAt: 1, hostName: "host" },
  });
  const start = async (...exec: string[]) =>
    `pty:${(await session.open({ cwd: "/", env: null, exec, cols: 60, rows: 10 })).id}`;
  /** Lists a terminal as one of that id too. */
  const alias = (id: string, as: string) => void aliases.set(as, id);
  const client = (token = TOKEN) => {
    const made = connectClient({ transport: nodeWebSocketTransport(server.endpoint, { token }) });
    afterTest(() => made.close());
    return made;
  };
  return {
    instance,
    host,
    session,
    server,
    link,
    distant,
    becomes,
    start,
    alias,
    client,
    terminals,
    lookers,
    looks,
  };
}

/** Says how many calls are under way. */
class CountedOps implements TerminalOps {
  /** How many were at most. */
  most = 0;
  underWay = 0;
  readonly #ops: TerminalOps;
  #look = () => {};

  constructor(ops: TerminalOps) {
    this.#ops = ops;
  }

  async carryOut(call: TerminalCall, signal: AbortSignal): Promise<object> {
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    this.#look();
    try {
      return await this.#ops.carryOut(call, signal);
    } finally {
      this.underWay -= 1;
      this.#look();
    }
  }

  /** Resolves once so many are under way. */
  async until(count: number): Promise<void> {
    while (this.underWay !== count) {
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }
}

export type Publisher = Awaited<ReturnType<typeof publisher>>;

/** Two publishers on one bus: one where people are, and one that has the terminals. */
export async function two(options: { here?: PublisherOptions; there?: PublisherOptions } = {}) {
  const nats = await bus();
  const here = await publisher(nats, options.here);
  const there = await publisher(nats, options.there);
  return { nats, here, there };
}

/** Somebody on the bus who is no publisher of ours. */
export async function stranger(nats: NatsServer, instance = randomBytes(16).toString("hex")) {
  const connection: NatsConnection = await connect({
    servers: nats.url,
    inboxPrefix: inboxPrefix(instance),
  });
  afterTest(() => connection.close());
  return { instance, connection };
}
