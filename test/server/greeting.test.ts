import { describe, expect, test } from "vitest";
import { HelloUserResponse } from "../../src/contract/hello.ts";
import { InstancePingResponse } from "../../src/contract/ping.ts";
import { validationErrors } from "../../src/contract/validation.ts";
import { CARRIERS, GENERATION, greet, INSTANCE, SID, startServer } from "./support.ts";

const line = (op: string, id: string, args: object) =>
  JSON.stringify({ op, request_id: id, ...args });
const hello = (id: string, generation = GENERATION) =>
  line("hello.user", id, { protocol_version: generation });

describe.each(CARRIERS)("over a %s", (carrier) => {
  test("a greeting is answered with who answers, and it fits the contract", async () => {
    const peer = await (await startServer()).peer(carrier);
    const reply = await greet(peer);
    expect(validationErrors(HelloUserResponse, reply)).toEqual([]);
    expect(reply).toMatchObject({
      ok: true,
      protocol_version: GENERATION,
      instance: INSTANCE,
      instances: [{ id: INSTANCE, host: "host", reachable: true }],
      capabilities: [],
      started_at: 1,
    });
    expect(reply).not.toHaveProperty("endpoint");
  });

  test("a second greeting is refused, of the same role and of another", async () => {
    const peer = await (await startServer()).peer(carrier);
    await greet(peer);
    expect((await greet(peer)).error.code).toBe("bad_request");
    const session = await peer.request("hello.session", { protocol_version: GENERATION, sid: SID });
    expect(session.error.code).toBe("bad_request");
    expect((await peer.request("instance.ping")).ok).toBe(true);
  });

  test("of two greetings sent together the first wins", async () => {
    const peer = await (await startServer()).peer(carrier);
    peer.line(`${hello("a")}\n${line("hello.session", "b", { protocol_version: 4, sid: SID })}`);
    const replies = [await peer.next(), await peer.next()];
    const outcome = Object.fromEntries(replies.map((r) => [r.request_id, r.error?.code ?? "ok"]));
    expect(outcome).toEqual({ a: "ok", b: "bad_request" });
    expect((await peer.request("topic.subscribe", { topic: "terminals" })).ok).toBe(true);
  });

  test("another generation is refused and the claim given back", async () => {
    const peer = await (await startServer()).peer(carrier);
    for (const generation of [GENERATION - 1, GENERATION + 1]) {
      const reply = await peer.request("hello.user", { protocol_version: generation });
      expect(reply.error.code).toBe("bad_request");
      expect(reply.error.msg).toContain(String(GENERATION));
    }
    expect((await peer.request("instance.ping")).error.code).toBe("hello_required");
    expect((await greet(peer)).ok).toBe(true);
  });

  test("what is sent ahead of the greeting's reply comes from nobody", async () => {
    const peer = await (await startServer()).peer(carrier);
    peer.line(`${hello("a")}\n${line("instance.ping", "b", {})}`);
    const replies = [await peer.next(), await peer.next()];
    const outcome = Object.fromEntries(replies.map((r) => [r.request_id, r.error?.code ?? "ok"]));
    expect(outcome).toEqual({ a: "ok", b: "hello_required" });
    expect((await peer.request("instance.ping")).ok).toBe(true);
  });

  test("an instance is told that there is no mesh, and may greet as somebody else", async () => {
    const peer = await (await startServer()).peer(carrier);
    const mesh = {
      ver: 1,
      iss: "http://a.example/",
      aud: "http://b.example/",
      id: INSTANCE,
      kid: "0123456789abcdef",
    };
    const args = { protocol_version: GENERATION, mesh };
    const reply = await peer.request("hello.instance", args);
    expect(reply.error.code).toBe("capability_unavailable");
    expect((await greet(peer)).ok).toBe(true);
  });

  test("a session is greeted", async () => {
    const peer = await (await startServer()).peer(carrier);
    const reply = await peer.request("hello.session", { protocol_version: GENERATION, sid: SID });
    expect(reply.ok).toBe(true);
  });

  test("instance.ping tells of the process", async () => {
    const server = await startServer();
    const peer = await server.peer(carrier);
    await greet(peer);
    const reply = await peer.request("instance.ping");
    expect(validationErrors(InstancePingResponse, reply)).toEqual([]);
    expect(reply).toMatchObject({
      pid: process.pid,
      clients: 1,
      http: [`127.0.0.1:${server.port}`],
      network: "off",
    });
  });
});
