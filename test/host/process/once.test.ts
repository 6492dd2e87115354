import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { encodeFrame } from "../../../src/host/channel/frames.ts";
import type { HostCall } from "../../../src/host/channel/messages.ts";
import type { ChannelClient, Kind } from "../channel/channel-client.ts";
import { type BuiltHost, buildHost, RealHost } from "../hostile/real-host.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const frameOf = (call: HostCall) => encodeFrame({ type: "call", id: 1, call });

/** Sends so many bytes of a call on a connection of its own and cuts that. */
async function cut(host: RealHost, call: HostCall, bytes: number): Promise<void> {
  const socket = connect(host.place.places.channel);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await new Promise<unknown>((resolve) => {
    socket.write(frameOf(call).subarray(0, bytes), resolve);
  });
  socket.destroy();
  await closed;
}

/** Each place in the frame of a call where it may be cut: behind each of its bytes. */
const cuts = (call: HostCall) => Array.from(frameOf(call), (_, index) => index + 1);

const AT_ONCE = 8;

/** Does it for every place where the call may be cut, in a session of its own each. */
async function forEachCut(
  call: (sessionId: string) => HostCall,
  act: (at: number, sessionId: string) => Promise<void>,
): Promise<void> {
  const left = cuts(call("000"));
  const worker = async () => {
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      await act(at, String(at).padStart(3, "0"));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const idsOf = async (client: ChannelClient, sessionId: string) => {
  const { windows } = (await client.call({ op: "list", sessionId })) as Kind<"list">;
  return windows.map(({ terminal }) => terminal.id);
};

const opening = (sessionId: string): HostCall => ({
  op: "open",
  sessionId,
  key: "k",
  cwd: "/",
  env: null,
  exec: ["/bin/cat"],
  cols: 80,
  rows: 24,
});

test("an open that is cut behind any of its bytes and made again opens one terminal", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  await forEachCut(opening, async (at, sessionId) => {
    await cut(host, opening(sessionId), at);
    const { terminal } = (await client.call(opening(sessionId))) as Kind<"terminal">;
    expect(await idsOf(client, sessionId), `cut at ${at}`).toEqual([terminal.id]);
    await client.call({ op: "closeSession", sessionId });
  });
}, 60_000);

test("a send that is cut behind any of its bytes and made again types once", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  const { id } = await client.script("s", "stty -echo; echo ready; cat");
  const ready = { until: "match", pattern: "^ready$", timeoutMs: 20_000 } as const;
  await client.read({ sessionId: "s", target: id, wait: ready });
  const sending = (key: string): HostCall => ({
    op: "send",
    sessionId: "s",
    key,
    target: id,
    keys: [`line ${key}\r`],
    literal: true,
  });
  const keys = cuts(sending("000")).map((at) => String(at).padStart(3, "0"));
  for (const key of keys) {
    await cut(host, sending(key), Number(key));
    await client.call(sending(key));
  }
  const last = { until: "match", pattern: `^line ${keys.at(-1)}$`, timeoutMs: 20_000 } as const;
  const { text } = await client.read({ sessionId: "s", target: id, from: 0, wait: last });
  expect(text.trim().split("\n")).toEqual(["ready", ...keys.map((key) => `line ${key}`)]);
}, 60_000);

test("a close that is cut behind any of its bytes and made again closes no terminal that has the number since", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  const closing = (sessionId: string): HostCall => ({
    op: "close",
    sessionId,
    key: "k",
    target: "1",
  });
  await forEachCut(closing, async (at, sessionId) => {
    const call = closing(sessionId);
    const first = await client.script(sessionId, "cat");
    await cut(host, call, at);
    expect(await client.call(call)).toEqual({ kind: "closed", terminalId: first.id });
    const second = await client.script(sessionId, "cat");
    expect(second.index).toBe(1);
    expect(await client.call(call)).toEqual({ kind: "closed", terminalId: first.id });
    expect(await idsOf(client, sessionId), `cut at ${at}`).toEqual([second.id]);
    await client.call({ op: "closeSession", sessionId });
  });
}, 60_000);
