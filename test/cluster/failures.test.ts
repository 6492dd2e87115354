import { nkeyAuthenticator, nkeys } from "@nats-io/transport-node";
import { describe, expect, it } from "vitest";
import { bucketOf, bus, keysOf, limitBucket, link, TestInstance } from "./ground.ts";

/** Two instances, the second of which is reached over a link that can be cut. */
async function apart() {
  const server = await bus();
  const way = await link(server);
  const here = new TestInstance({ url: server.url });
  const there = new TestInstance({ url: way.url });
  await Promise.all([here.met("joined"), there.met("joined")]);
  there.state("b");
  const subscriber = await here.subscriber().open("terminals", "instances");
  await subscriber.until(() => subscriber.ids(there)?.length === 1);
  const reachable = () => subscriber.instances.find(({ id }) => id === there.instance)?.reachable;
  const codes = () => subscriber.sources(there)?.map(({ error }) => error?.code);
  return { server, way, here, there, subscriber, reachable, codes };
}

describe("an instance that says nothing any more", () => {
  it("is out of date after a heartbeat, lost after its lease, and whole when it is back", async () => {
    const { way, there, subscriber, reachable, codes } = await apart();
    way.cut();
    await subscriber.until(() => codes()?.[0] === "instance_silent");
    expect(subscriber.ids(there)).toEqual(["pty:b"]);
    expect(reachable()).toBe(true);
    await subscriber.until(() => reachable() === false);
    expect(subscriber.ids(there)).toEqual([]);
    const lapse = subscriber.of(there).at(-1);
    expect(lapse?.seq).toBe(lapse?.prev_seq);
    expect(lapse).toMatchObject({
      data: { terminals: [{ removed: true, reason: "instance_lost" }] },
    });
    const before = subscriber.of(there).length;
    way.heal();
    await subscriber.until(() => subscriber.ids(there)?.length === 1);
    expect(subscriber.of(there).slice(before)).toMatchObject([{ snapshot: true }]);
    expect(codes()).toEqual([undefined]);
    await subscriber.until(() => reachable() === true);
  });

  it("takes nothing back where it is heard again in time", async () => {
    const { way, there, subscriber, codes } = await apart();
    way.hold();
    await subscriber.until(() => codes()?.[0] === "instance_silent");
    way.heal();
    await subscriber.until(() => codes()?.[0] === undefined);
    const frames = subscriber.of(there);
    expect(frames.filter(({ snapshot }) => snapshot)).toHaveLength(1);
    expect(JSON.stringify(frames)).not.toContain("removed");
  });
});

describe("an instance that is dead while the bus is away", () => {
  it("is lost in time, and what the bus has of it brings it back for nobody", async () => {
    const { server, way, there, subscriber, reachable } = await apart();
    way.cut();
    await subscriber.until(() => reachable() === false);
    await server.kill();
    await server.restart();
    const late = new TestInstance({ url: server.url });
    late.state("late");
    await subscriber.until(() => subscriber.ids(late)?.length === 1);
    expect(reachable()).toBe(false);
    expect(subscriber.ids(there)).toEqual([]);
  });
});

describe("an instance that stops", () => {
  it("takes its rows back at once, and leaves no key", async () => {
    const { server, there, subscriber, reachable } = await apart();
    there.takeBack();
    await there.cluster.end("stopped");
    await subscriber.until(() => reachable() === false);
    expect(JSON.stringify(subscriber.of(there))).toContain('"reason":"instance_stopped"');
    expect(subscriber.ids(there)).toEqual([]);
    expect((await keysOf(server)).filter((key) => key.startsWith(there.instance))).toEqual([]);
  });

  it("keeps them where it comes back at once, and is stated whole with its new epoch", async () => {
    const { server, there, subscriber, reachable } = await apart();
    await there.cluster.end("restarting");
    const again = new TestInstance({ url: server.url, instance: there.instance });
    again.state("b", "c");
    await subscriber.until(() => subscriber.ids(there)?.length === 2);
    expect(again.happened.map(({ what }) => what)).toEqual(["joined"]);
    const frames = subscriber.of(there);
    expect(frames.at(-1)).toMatchObject({ snapshot: true, epoch: again.epoch });
    expect(JSON.stringify(frames)).not.toContain("removed");
    expect(reachable()).toBe(true);
  });

  it("waits after a crash until it is clear that nobody else has its id", async () => {
    const { server, way, there, subscriber } = await apart();
    way.cut();
    const again = new TestInstance({ url: server.url, instance: there.instance });
    again.state("c");
    await again.met("waits");
    await again.met("joined");
    await subscriber.until(() => subscriber.ids(there)?.[0] === "pty:c");
  });
});

describe("a second publisher of one instance", () => {
  it("is refused in words, and disturbs nobody", async () => {
    const { server, there, subscriber } = await apart();
    const second = new TestInstance({ url: server.url, instance: there.instance, host: "copy" });
    second.state("x");
    const { why } = await second.met("refused");
    expect(why).toContain(there.host);
    expect(why).toContain("instance.id");
    there.state("b", "c");
    await subscriber.until(() => subscriber.ids(there)?.length === 2);
    expect(JSON.stringify(subscriber.frames)).not.toContain("pty:x");
  });

  it("is refused where it was alive all the time and only cut off", async () => {
    const { server, way, there, subscriber, reachable } = await apart();
    way.cut();
    await subscriber.until(() => reachable() === false);
    const second = new TestInstance({ url: server.url, instance: there.instance });
    second.state("x");
    await second.met("joined");
    way.heal();
    await there.met("refused");
    await subscriber.until(() => subscriber.ids(there)?.[0] === "pty:x");
  });
});

describe("while the bus is out of reach", () => {
  it("rows stay and say so, the own ones are served on, and all heals by itself", async () => {
    const { server, here, there, subscriber, codes } = await apart();
    await server.kill();
    await subscriber.until(() => codes()?.[0] === "engine_unreachable");
    expect(subscriber.ids(there)).toEqual(["pty:b"]);
    here.state("a");
    await subscriber.until(() => subscriber.ids(here)?.length === 1);
    const late = await here.subscriber().open("terminals");
    expect(late.ids(there)).toEqual(["pty:b"]);
    there.state("b", "c");
    await server.restart();
    await subscriber.until(() => subscriber.ids(there)?.length === 2);
    expect(codes()).toEqual([undefined]);
    expect(JSON.stringify(subscriber.frames)).not.toContain("removed");
  });

  it("an instance is served that starts meanwhile", async () => {
    const server = await bus();
    await server.stop();
    const alone = new TestInstance({ url: server.url });
    alone.state("a");
    await alone.met("left");
    const subscriber = await alone.subscriber().open("terminals", "instances");
    await subscriber.until(() => subscriber.ids(alone)?.[0] === "pty:a");
    await server.restart();
    await alone.met("joined");
  });

  it("a bucket that is full is told, and what did not fit is written once it does", async () => {
    const server = await bus();
    const here = new TestInstance({ url: server.url });
    const there = new TestInstance({ url: server.url });
    await Promise.all([here.met("joined"), there.met("joined")]);
    const subscriber = await here.subscriber().open("terminals");
    await there.wanted(1);
    const limit = (bytes: number) => limitBucket(server, bytes);
    await limit(1_000);
    there.state(...Array.from({ length: 300 }, (_, index) => `t${index * 7_919}`));
    expect((await there.met("failed")).why).toContain("maximum bytes");
    await limit(-1);
    await subscriber.until(() => subscriber.ids(there)?.length === 300);
  });

  it("a bucket that was taken away is made anew", async () => {
    const { server, here, there, subscriber } = await apart();
    await (await bucketOf(server)).destroy();
    await Promise.all([here.met("joined", 2), there.met("joined", 2)]);
    there.state("b", "c");
    await subscriber.until(() => subscriber.ids(there)?.length === 2);
  });
});

describe("what another instance's key holds", () => {
  it("is refused and counted where it claims to be somebody else's", async () => {
    const { server, here, there, subscriber } = await apart();
    const kv = await bucketOf(server);
    const stranger = "f".repeat(32);
    const claim = (instance: string, row: object) =>
      JSON.stringify({
        ...{ v: 1, instance, host: "h", epoch: "0".repeat(16), seq: 1, bookmarks: 0 },
        ...{ polled_at: 1, removed: [], rows: [row] },
      });
    await kv.put(`${stranger}.terminals`, claim(there.instance, there.row("evil")));
    await here.met("rejected");
    await kv.put(`${stranger}.terminals`, claim(stranger, there.row("evil")));
    await here.met("rejected", 2);
    await kv.put(`${stranger}.terminals`, "no value at all");
    await here.met("rejected", 3);
    await kv.put("something.else", "x");
    await here.met("rejected", 4);
    expect(here.refused).toEqual({ value: 2, row: 1, key: 1 });
    expect(JSON.stringify(subscriber.frames)).not.toContain("evil");
  });
});

describe("credentials that allow to read alone", () => {
  it("let an instance see the others, and say that its own rows are not shared", async () => {
    const own = "e".repeat(32);
    const user = nkeys.createUser();
    const everybody = nkeys.createUser();
    const server = await bus({
      config: `authorization { users [
        { nkey: ${everybody.getPublicKey()} }
        { nkey: ${user.getPublicKey()}, permissions: {
          publish: { allow: ["$JS.API.>", "$JS.FC.>", "$KV.test.${own}.interest"] } } }
      ] }`,
    });
    const there = new TestInstance({
      url: server.url,
      authenticator: nkeyAuthenticator(everybody.getSeed()),
    });
    await there.met("joined");
    there.state("b");
    const reader = new TestInstance({
      url: server.url,
      instance: own,
      authenticator: nkeyAuthenticator(user.getSeed()),
    });
    await reader.met("readsOnly");
    const subscriber = await reader.subscriber().open("terminals");
    await subscriber.until(() => subscriber.ids(there)?.length === 1);
  });

  it("that are not accepted are told as such", async () => {
    const server = await bus({ config: "authorization { user: a, password: b }" });
    const stranger = new TestInstance({ url: server.url });
    expect((await stranger.met("refused")).why).toContain("credentials");
  });
});
