import { jetstreamManager, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterEach, describe, expect, test } from "vitest";
import { type CuttableLink, cuttableLink } from "./link.ts";
import { NatsServer } from "./server.ts";

const owed: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of owed.splice(0).reverse()) await end();
});

async function server(options = {}): Promise<NatsServer> {
  const started = await NatsServer.start(options);
  owed.push(() => started.end());
  return started;
}

async function client(url: string, more = {}): Promise<NatsConnection> {
  const connection = await connect({ servers: url, reconnectTimeWait: 20, ...more });
  owed.push(() => connection.close());
  return connection;
}

async function link(to: NatsServer): Promise<CuttableLink> {
  const made = await cuttableLink(to);
  owed.push(() => made.end());
  return made;
}

const create = (connection: NatsConnection) =>
  new Kvm(connection).create("b", { history: 2, storage: StorageType.File });

describe("a nats-server of a test", () => {
  test("a value outlives a kill, on the same port", async () => {
    const nats = await server();
    const { url, pid } = nats;
    const kv = await create(await client(url));
    await kv.put("k", "kept");
    await nats.kill();
    await nats.restart();
    expect(nats.url).toBe(url);
    expect(nats.pid).not.toBe(pid);
    const again = await new Kvm(await client(url)).open("b");
    expect((await again.get("k"))?.string()).toBe("kept");
  });

  test("two of them know nothing of each other", async () => {
    const [one, other] = [await server(), await server()];
    await create(await client(one.url));
    const streams = await (await jetstreamManager(await client(other.url))).streams.list().next();
    expect(streams).toEqual([]);
  });

  test("it takes configuration of the test's own", async () => {
    const nats = await server({
      config: `authorization { users: [{ user: "a", password: "b" }] }`,
      jetstream: "max_file_store: 1MB",
    });
    await expect(client(nats.url)).rejects.toThrow(/authorization/i);
    const kv = await create(await client(nats.url, { user: "a", pass: "b" }));
    const large = new Uint8Array(600_000);
    const fill = async () => {
      for (let count = 0; count < 10; count += 1) await kv.put(`${count}`, large);
    };
    await expect(fill()).rejects.toThrow(/resources|maximum/i);
  });

  test("a configuration that it refuses is an error that holds its words", async () => {
    await expect(server({ config: "no_such_field: [" })).rejects.toThrow(/no_such_field|Parse/i);
  });

  test("its end takes its folder and its process away", async () => {
    const nats = await NatsServer.start();
    const pid = nats.pid as number;
    await nats.end();
    expect(() => process.kill(pid, 0)).toThrow();
    expect(nats.pid).toBeUndefined();
  });
});

describe("a link that can be cut", () => {
  test("a cut ends connections and refuses new ones until it heals", async () => {
    const nats = await server();
    const between = await link(nats);
    const connection = await client(between.url, { maxReconnectAttempts: -1 });
    const statuses = connection.status()[Symbol.asyncIterator]();
    await connection.flush();
    between.cut();
    for (let one = await statuses.next(); one.value.type !== "disconnect"; )
      one = await statuses.next();
    await expect(client(between.url, { maxReconnectAttempts: 0 })).rejects.toThrow();
    between.heal();
    for (let one = await statuses.next(); one.value.type !== "reconnect"; )
      one = await statuses.next();
    await connection.flush();
    expect(between.connections).toBe(1);
  });

  test("what is held passes in order once it heals, and nothing before", async () => {
    const nats = await server();
    const between = await link(nats);
    const far = await client(between.url);
    const near = await client(nats.url);
    const got: string[] = [];
    const all = new Promise<void>((resolve) => {
      far.subscribe("s", {
        callback: (_error, message) => {
          if (got.push(message.string()) === 3) resolve();
        },
      });
    });
    await far.flush();
    between.hold();
    for (const text of ["1", "2", "3"]) near.publish("s", text);
    await near.flush();
    let through = false;
    const roundTrip = far.flush().then(() => {
      through = true;
    });
    // Many round trips beside it are made in the time of one.
    for (let count = 0; count < 50; count += 1) await near.flush();
    expect([got, through]).toEqual([[], false]);
    between.heal();
    await all;
    await roundTrip;
    expect(got).toEqual(["1", "2", "3"]);
  });

  test("a delayed link is later in either direction", async () => {
    const nats = await server();
    const between = await link(nats);
    const far = await client(between.url);
    between.delay(60);
    expect(await far.rtt()).toBeGreaterThanOrEqual(115);
  });

  test("a drop ends each connection once, and the next is let through", async () => {
    const nats = await server();
    const between = await link(nats);
    const far = await client(between.url, { reconnect: false });
    const closed = far.closed();
    between.drop();
    await closed;
    await (await client(between.url)).flush();
  });
});
