import { describe, expect, test } from "vitest";
import { MAX_IN_FLIGHT } from "../../src/server/connection.ts";
import {
  CARRIERS,
  type FakeHub,
  GENERATION,
  greet,
  type Peer,
  SID,
  startServer,
} from "./support.ts";

/** Holds readings back until they are let go. */
function holdReadings(hub: FakeHub) {
  const held: (() => void)[] = [];
  hub.reading = () => new Promise((resolve) => held.push(resolve));
  return {
    get count() {
      return held.length;
    },
    letGo: () => {
      for (const release of held.splice(0)) release();
    },
  };
}

async function started(carrier: Peer["carrier"]) {
  const server = await startServer();
  const peer = await server.peer(carrier);
  await greet(peer);
  return { server, hub: server.hub, peer };
}

const subscribe = (topic: string, id: string) =>
  JSON.stringify({ op: "topic.subscribe", request_id: id, topic });
const unsubscribe = (topic: string, id: string) =>
  JSON.stringify({ op: "topic.unsubscribe", request_id: id, topic });

describe.each(CARRIERS)("over a %s", (carrier) => {
  test("the reply goes before the snapshot", async () => {
    const { peer } = await started(carrier);
    expect(await peer.request("topic.subscribe", { topic: "terminals" })).toMatchObject({
      ok: true,
      topic: "terminals",
    });
    expect(await peer.next()).toMatchObject({ ev: "topic", topic: "terminals", snapshot: true });
  });

  test("the reply waits for the reading, and other requests do not", async () => {
    const { peer, hub } = await started(carrier);
    const readings = holdReadings(hub);
    peer.line(subscribe("terminals", "slow"));
    expect((await peer.request("instance.ping")).pid).toBe(process.pid);
    readings.letGo();
    expect((await peer.next()).request_id).toBe("slow");
    expect((await peer.next()).snapshot).toBe(true);
  });

  test("unsubscribing during the wait answers both and states nothing", async () => {
    const { peer, hub } = await started(carrier);
    const readings = holdReadings(hub);
    peer.line(subscribe("terminals", "s"));
    peer.line(unsubscribe("terminals", "u"));
    expect(await peer.next()).toMatchObject({ ok: true, request_id: "u", topic: "terminals" });
    readings.letGo();
    expect(await peer.next()).toMatchObject({ ok: true, request_id: "s" });
    expect((await peer.request("instance.ping")).pid).toBe(process.pid);
  });

  test("a reading that fails is an internal_error, and its words stay inside", async () => {
    const { peer, hub } = await started(carrier);
    hub.reading = async () => {
      throw new Error("/secret/path");
    };
    const reply = await peer.request("topic.subscribe", { topic: "terminals" });
    expect(reply.error.code).toBe("internal_error");
    expect(reply.error.msg).not.toContain("secret");
    hub.reading = async () => {};
    expect((await peer.request("topic.subscribe", { topic: "terminals" })).ok).toBe(true);
  });

  test("a reading that fails with a code of the contract is answered with it", async () => {
    const { peer, hub } = await started(carrier);
    hub.reading = async () => {
      throw Object.assign(new Error("come back later"), { code: "rate_limited" });
    };
    const reply = await peer.request("topic.subscribe", { topic: "terminals" });
    expect(reply.error).toEqual({ code: "rate_limited", msg: "come back later" });
  });

  test("subscribing again states anew, and unsubscribing what is not subscribed is no error", async () => {
    const { peer } = await started(carrier);
    for (let round = 0; round < 2; round++) {
      expect((await peer.request("topic.subscribe", { topic: "agents" })).ok).toBe(true);
      expect((await peer.next()).snapshot).toBe(true);
    }
    expect((await peer.request("topic.unsubscribe", { topic: "inbox" })).ok).toBe(true);
  });

  test("a session may read what is for sessions, and no terminals", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    await peer.request("hello.session", { protocol_version: GENERATION, sid: SID });
    const refused = await peer.request("topic.subscribe", { topic: "terminals" });
    expect(refused.error.code).toBe("forbidden");
    expect((await peer.request("topic.subscribe", { topic: "peers" })).ok).toBe(true);
    expect(server.hub.last.calls).toEqual(["open peers"]);
  });

  test("the role is checked before whether anything is behind the topic", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    await peer.request("hello.session", { protocol_version: GENERATION, sid: SID });
    const forbidden = await peer.request("topic.subscribe", { topic: "kv:notes" });
    expect(forbidden.error.code).toBe("forbidden");
    const user = await server.peer(carrier);
    await greet(user);
    for (const topic of ["kv:notes", `transcript:${SID}`, `session.status:${SID}`, "llm.status"]) {
      const reply = await user.request("topic.subscribe", { topic });
      expect(reply.error.code).toBe("capability_unavailable");
    }
  });

  test("no more than MAX_IN_FLIGHT requests are in work, and none is lost", async () => {
    const { peer, hub } = await started(carrier);
    const readings = holdReadings(hub);
    const asked = MAX_IN_FLIGHT + 50;
    for (let index = 0; index < asked; index++) peer.line(subscribe("terminals", `s${index}`));
    await hub.until(() => readings.count === MAX_IN_FLIGHT);
    hub.reading = async () => {};
    readings.letGo();
    const answered = new Set<string>();
    while (answered.size < asked) {
      const { request_id } = await peer.next();
      if (request_id !== undefined) answered.add(request_id);
    }
    expect(hub.last.calls).toHaveLength(asked);
  });

  test("a subscription that cannot begin closes its connection", async () => {
    const { peer, hub } = await started(carrier);
    const reader = hub.last;
    reader.open = async () => () => {
      throw new Error("no snapshot");
    };
    expect((await peer.request("topic.subscribe", { topic: "terminals" })).ok).toBe(true);
    expect(await peer.closed).toBe(carrier === "unix" ? 0 : 1011);
  });
});

test("closing a WebSocket during the wait ends the reader and nothing is stated", async () => {
  const { peer, hub } = await started("websocket");
  const readings = holdReadings(hub);
  peer.line(subscribe("terminals", "s"));
  await hub.until(() => readings.count === 1);
  peer.end();
  await hub.until(() => hub.last.calls.includes("end"));
  readings.letGo();
  expect(hub.last.calls).toEqual(["open terminals", "end"]);
});

// A stream that was closed looks like one that was half closed until something is written to it.
test("closing a Unix connection during the wait ends the reader with the reading", async () => {
  const { peer, hub } = await started("unix");
  const readings = holdReadings(hub);
  peer.line(subscribe("terminals", "s"));
  await hub.until(() => readings.count === 1);
  peer.end();
  readings.letGo();
  await hub.until(() => hub.last.calls.includes("end"));
});

test("a Unix client that has said all still gets its answers, then the end", async () => {
  const server = await startServer();
  const readings = holdReadings(server.hub);
  const peer = await server.unix();
  await greet(peer);
  peer.line(subscribe("terminals", "last"));
  peer.socket.end();
  await server.hub.until(() => readings.count === 1);
  readings.letGo();
  expect((await peer.next()).request_id).toBe("last");
  expect((await peer.next()).snapshot).toBe(true);
  expect(await peer.closed).toBe(0);
});
