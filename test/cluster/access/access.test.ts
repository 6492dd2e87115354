import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { connect, type NatsConnection, nkeyAuthenticator, nkeys } from "@nats-io/transport-node";
import { afterEach, describe, expect, it } from "vitest";
import { natsConfiguration } from "../../../src/cli/nats/config.ts";
import { inboxPrefix } from "../../../src/cluster/subjects.ts";
import { NatsServer } from "../../lib/nats/server.ts";
import { TestInstance } from "../ground.ts";

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function user(letter: string) {
  const pair = nkeys.createUser();
  return {
    instance: letter.repeat(32),
    key: pair.getPublicKey(),
    authenticator: nkeyAuthenticator(pair.getSeed()),
  };
}

type User = ReturnType<typeof user>;

/** What the command prints for two hosts and a dashboard. */
function printed(...[atlas, borea, looker]: [User, User, User]): string {
  return natsConfiguration({
    ...{ bucket: "test", listen: "127.0.0.1:4222", store: "/var/lib/nats" },
    ...{ hosts: [atlas, borea], dashboards: [looker] },
  });
}

/** A server with the users of that configuration; where it listens and keeps its files is the test's. */
async function served(config: string): Promise<NatsServer> {
  const server = await NatsServer.start({
    config: config.slice(config.indexOf("authorization {")),
  });
  ends.push(() => server.end());
  return server;
}

async function connected(server: NatsServer, { instance, authenticator }: User) {
  const connection = await connect({
    ...{ servers: server.url, authenticator, timeout: 2_000 },
    inboxPrefix: inboxPrefix(instance),
  });
  ends.push(() => connection.close());
  return connection;
}

const bucketOf = (connection: NatsConnection): Promise<KV> =>
  new Kvm(connection).create("test", { history: 2 });

/** That the server refuses a subscription is told apart from it. */
async function isHeard(connection: NatsConnection, subject: string): Promise<boolean> {
  const refused = new Promise<false>((resolve) => {
    connection.subscribe(subject, {
      callback(error) {
        if (error !== null) resolve(false);
      },
    });
  });
  return Promise.race([
    refused,
    connection
      .flush()
      .then(() => connection.flush())
      .then(() => true),
  ]);
}

async function isPublished(connection: NatsConnection, subject: string): Promise<boolean> {
  const refused = (async () => {
    for await (const status of connection.status()) if (status.type === "error") return false;
    return false;
  })();
  connection.publish(subject, "x");
  return Promise.race([
    refused,
    connection
      .flush()
      .then(() => connection.flush())
      .then(() => true),
  ]);
}

async function everybody() {
  const users = [user("a"), user("b"), user("c")] as [User, User, User];
  const server = await served(printed(...users));
  const [atlas, borea, looker] = users;
  return { server, atlas, borea, looker };
}

describe("the configuration that is printed", () => {
  it("is one that nats-server takes, with TLS and without", () => {
    const folder = mkdtempSync(join(tmpdir(), "termtopic-nats-"));
    ends.push(() => rmSync(folder, { recursive: true }));
    const [cert, key] = certificate(folder);
    const users = { hosts: [user("a"), user("b")], dashboards: [user("c")] };
    const places = { bucket: "test", listen: "127.0.0.1:4222", store: join(folder, "store") };
    for (const tls of [undefined, { cert, key }]) {
      const file = join(folder, "nats.conf");
      writeFileSync(file, natsConfiguration({ ...places, ...users, ...(tls && { tls }) }));
      execFileSync("nats-server", ["-t", "-c", file], { stdio: "pipe" });
    }
  });

  it("lets an instance write its own keys, and nobody else's", async () => {
    const { server, atlas, borea } = await everybody();
    const kv = await bucketOf(await connected(server, atlas));
    await kv.put(`${atlas.instance}.terminals`, "mine");
    await expect(kv.put(`${borea.instance}.terminals`, "forged")).rejects.toThrow(/permissions/i);
    await expect(kv.delete(`${borea.instance}.terminals`)).rejects.toThrow(/permissions/i);
    const theirs = await bucketOf(await connected(server, borea));
    expect((await theirs.get(`${atlas.instance}.terminals`))?.string()).toBe("mine");
    expect(await theirs.get(`${borea.instance}.terminals`)).toBeNull();
  });

  it("lets nobody change or destroy the bucket", async () => {
    const { server, atlas } = await everybody();
    const connection = await connected(server, atlas);
    const kv = await bucketOf(connection);
    await expect(kv.destroy()).rejects.toThrow(/permissions/i);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await expect(manager.streams.purge("KV_test")).rejects.toThrow(/permissions/i);
    await expect(manager.streams.update("KV_test", { max_bytes: 1 })).rejects.toThrow(
      /permissions/i,
    );
  });

  it("lets instances call each other, and hear only what is for them", async () => {
    const { server, atlas, borea } = await everybody();
    const connection = await connected(server, atlas);
    expect(await isPublished(connection, `termtopic.test.call.${borea.instance}`)).toBe(true);
    expect(await isPublished(connection, `termtopic.test.view.${borea.instance}.x`)).toBe(true);
    expect(await isHeard(connection, `termtopic.test.call.${atlas.instance}`)).toBe(true);
    expect(await isHeard(connection, `termtopic.test.view.${atlas.instance}.*`)).toBe(true);
    expect(await isHeard(connection, `termtopic.test.call.${borea.instance}`)).toBe(false);
    expect(await isHeard(connection, `termtopic.test.view.${borea.instance}.*`)).toBe(false);
    expect(await isHeard(connection, `_INBOX.${borea.instance}.>`)).toBe(false);
    expect(await isHeard(connection, ">")).toBe(false);
  });

  it("lets a dashboard see and say what it wants to see, and no more", async () => {
    const { server, atlas, looker } = await everybody();
    const host = await bucketOf(await connected(server, atlas));
    await host.put(`${atlas.instance}.terminals`, "mine");
    const connection = await connected(server, looker);
    const kv = await new Kvm(connection).open("test");
    expect((await kv.get(`${atlas.instance}.terminals`))?.string()).toBe("mine");
    const watch = await kv.watch({ key: ">" });
    for await (const { key } of watch) {
      expect(key).toBe(`${atlas.instance}.terminals`);
      break;
    }
    await kv.put(`${looker.instance}.interest`, "{}");
    await expect(kv.put(`${looker.instance}.terminals`, "x")).rejects.toThrow(/permissions/i);
    expect(await isPublished(connection, `termtopic.test.call.${atlas.instance}`)).toBe(false);
    expect(await isPublished(connection, `termtopic.test.view.${atlas.instance}.x`)).toBe(false);
  });

  it("lets nobody in without a key of it", async () => {
    const { server } = await everybody();
    await expect(connect({ servers: server.url })).rejects.toThrow(/authorization/i);
    const { authenticator } = user("d");
    await expect(connect({ servers: server.url, authenticator })).rejects.toThrow(/authorization/i);
  });

  it("is enough for instances that share their rows, and for one that only sees them", async () => {
    const { server, atlas, borea, looker } = await everybody();
    const there = new TestInstance({ url: server.url, ...borea });
    await there.met("joined");
    there.state("b");
    for (const one of [atlas, looker]) {
      const here = new TestInstance({ url: server.url, ...one });
      await here.met("joined");
      const subscriber = await here.subscriber().open("terminals", "instances");
      await subscriber.until(() => subscriber.ids(there)?.[0] === "pty:b");
      expect(here.happened.some(({ what }) => what === "readsOnly")).toBe(one === looker);
      await here.cluster.end("stopped");
    }
  });
});

describe("a nats-server with TLS", () => {
  it("is reached by who trusts its certificate, and by nobody else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "termtopic-nats-"));
    ends.push(() => rmSync(folder, { recursive: true }));
    const [cert, key] = certificate(folder);
    const config = `tls { cert_file: "${cert}", key_file: "${key}" }`;
    const server = await NatsServer.start({ config });
    ends.push(() => server.end());
    const servers = server.url.replace("nats://", "tls://").replace("127.0.0.1", "localhost");
    await expect(connect({ servers, timeout: 2_000 })).rejects.toThrow();
    const connection = await connect({ servers, tls: { caFile: cert } });
    await connection.close();
  });
});

/** A certificate that is its own authority. */
function certificate(folder: string): [cert: string, key: string] {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
      ...["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
    ],
    { stdio: "pipe" },
  );
  return [cert, key];
}
