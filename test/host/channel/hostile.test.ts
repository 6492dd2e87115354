import { connect } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { encodeFrame } from "../../../src/host/channel/frames.ts";
import type { ChannelClient } from "./channel-client.ts";
import { type ServedHost, serveHost } from "./served-host.ts";

/** Sends bytes over a connection of its own in pieces, and resolves when the host has ended it or has answered what was
 * asked behind them. */
function offer(
  path: string,
  pieces: readonly Uint8Array[],
  { leaves = false } = {},
): Promise<"cut" | "answered"> {
  return new Promise((resolve) => {
    const socket = connect(path);
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.on("error", () => {});
    socket.on("close", () => resolve("cut"));
    socket.on("data", (chunk) => {
      text = (text + chunk.toString("latin1")).slice(-4_096);
      if (!text.includes(MARK)) return;
      resolve("answered");
      socket.destroy();
    });
    for (const piece of pieces) socket.write(piece);
    socket.write(
      encodeFrame({ type: "call", id: 1, call: { op: "cursor", sessionId: "q", target: MARK } }),
    );
    // What is open in the bytes would wait for its end; who leaves waits for no answer.
    if (leaves) socket.end();
  });
}

const MARK = "the-mark-behind-it";

async function survivor(served: ServedHost): Promise<() => Promise<void>> {
  const client: ChannelClient = await served.connect();
  const { id } = await client.script("s", "cat");
  await client.attach(id);
  let count = 0;
  return async () => {
    count += 1;
    client.type(`still ${count}\r`);
    await client.shows(`still ${count}\r\nstill ${count}`);
    expect(client.isClosed).toBe(false);
  };
}

const bytesOf = (value: unknown) => encodeFrame(value as object);

test("whatever bytes come, only their connection ends", async () => {
  const served = await serveHost();
  const lives = await survivor(served);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 5 }),
      async (pieces) => {
        await offer(served.path, pieces, { leaves: true });
      },
    ),
    { numRuns: 100 },
  );
  await lives();
});

test("whatever JSON comes, the connection goes on", async () => {
  const served = await serveHost();
  const lives = await survivor(served);
  const tags = fc.constantFrom("list", "theme", "open", "attach", "resize", "ack", "close", "call");
  const ops = fc.constantFrom("list", "open", "send", "cursor", "read", "capture", "close");
  const field = fc.oneof(fc.jsonValue(), ops, tags, fc.constant("__proto__"));
  const call = fc.dictionary(fc.constantFrom("op", "sessionId", "key", "target", "wait"), field);
  const request = fc.oneof(
    fc.jsonValue(),
    fc.record({ type: tags, id: field, call, cols: field, rows: field, terminalId: field }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 5 }), async (requests) => {
      expect(await offer(served.path, requests.map(bytesOf))).toBe("answered");
    }),
    { numRuns: 100 },
  );
  await lives();
});

test("frames may come cut anywhere", async () => {
  const served = await serveHost();
  const whole = Buffer.concat([
    bytesOf({ type: "list", sessionId: "s" }),
    bytesOf(Buffer.from("typed")),
    bytesOf({ type: "call", id: 5, call: { op: "list", sessionId: "s" } }),
  ]);
  const single = Array.from(whole, (byte) => Uint8Array.of(byte));
  expect(await offer(served.path, single)).toBe("answered");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: whole.length }), { maxLength: 8 }), async (cuts) => {
      const ends = [...cuts, whole.length].sort((a, b) => a - b);
      const pieces = ends.map((end, index) => whole.subarray(ends[index - 1] ?? 0, end));
      expect(await offer(served.path, pieces)).toBe("answered");
    }),
    { numRuns: 30 },
  );
});

test("a length that is none, a kind that is none and no JSON end the connection", async () => {
  const served = await serveHost();
  const lives = await survivor(served);
  const corrupt = [
    [0, 0, 0, 0],
    [255, 255, 255, 255],
    [1, 0, 0, 1, 0],
    [0, 0, 0, 2, 2, 65],
    [0, 0, 0, 2, 0, 123],
    [0, 0, 0, 1, 0],
  ];
  for (const bytes of corrupt) {
    expect(await offer(served.path, [Uint8Array.from(bytes)])).toBe("cut");
  }
  // Half a frame is no fault before its end would have come.
  const half = Uint8Array.of(0, 0, 1, 0, 0, 34);
  expect(await offer(served.path, [half], { leaves: true })).toBe("cut");
  await lives();
});

test("JSON that is deep, long or of many values is refused in words", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const json = (text: string) => {
    const body = Buffer.from(text);
    const header = Buffer.alloc(5);
    header.writeUInt32BE(body.length + 1, 0);
    return Buffer.concat([header, body]);
  };
  const texts = [
    `${"[".repeat(15_000)}${"]".repeat(15_000)}`,
    `[${"0,".repeat(200_000)}0]`,
    JSON.stringify({ type: "list", sessionId: "x".repeat(3_000_000) }),
    '{"type":"list","sessionId":""}',
    `{"type":"list","sessionId":"${"x".repeat(300)}"}`,
    '{"__proto__":{"type":"shutdown"}}',
    '{"type":"constructor"}',
    '{"type":"ack","bytes":-1}',
    '{"type":"ack","bytes":0}',
    '{"type":"resize","cols":1e9,"rows":1}',
    '{"type":"open","sessionId":"s","cwd":"/\\u0000","env":null,"cols":80,"rows":24}',
    '{"type":"open","sessionId":"s","cwd":"relative","env":null,"cols":80,"rows":24}',
    '{"type":"open","sessionId":"s","cwd":"/","env":"../../etc/passwd","cols":80,"rows":24}',
    '{"type":"attach","terminalId":"nope"}',
    '{"type":"close"}',
  ];
  for (const text of texts) {
    client.socket.write(json(text));
    const { message } = await client.next("error");
    expect(message.length).toBeLessThan(1_000);
  }
  expect(served.host.terminals.all).toEqual([]);
  expect(client.isClosed).toBe(false);
});

test("who asks without end and reads nothing is cut, and others wait for nothing", async () => {
  const served = await serveHost();
  const lives = await survivor(served);
  const greedy = await served.connect();
  const { id } = await greedy.script("g", "seq 1 100000; cat");
  await greedy.read({
    sessionId: "g",
    target: id,
    wait: { until: "match", pattern: "^100000$", timeoutMs: 10_000 },
  });
  greedy.socket.pause();
  for (let count = 0; count < 200; count += 1) {
    const call = { op: "read", sessionId: "g", target: id, from: 0 } as const;
    greedy.send({ type: "call", id: 10_000 + count, call });
  }
  while (served.sockets.size > 1) await lives();
  await lives();
  expect(served.host.terminals.all).toHaveLength(2);
});

test("what is typed behind an open goes to the terminal that is opened", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const other = await client.script("s", "cat");
  await client.attach(other.id);
  const open = { sessionId: "s", cwd: "/", env: null, cols: 80, rows: 24 } as const;
  client.send({ type: "open", ...open, exec: ["/bin/cat"] });
  client.type("meant for the second\r");
  client.send({ type: "resize", cols: 90, rows: 30 });
  const { terminal } = await client.next("attached");
  await client.shows("meant for the second\r\nmeant for the second");
  const first = await client.read({ sessionId: "s", target: other.id, from: 0 });
  expect(first.text).toBe("");
  expect(served.host.terminals.get(terminal.id)?.size).toEqual({ cols: 90, rows: 30 });
});

test("a second attach moves the connection, a failed one leaves it at none", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const one = await client.script("s", "cat");
  const two = await client.script("s", "cat");
  await client.attach(one.id);
  await client.attach(two.id);
  client.type("to two\r");
  await client.shows("to two\r\nto two");
  expect((await client.read({ sessionId: "s", target: one.id, from: 0 })).text).toBe("");
  expect(served.host.terminals.get(one.id)?.viewers).toBe(0);
  client.send({ type: "attach", terminalId: "gone" });
  await client.next("error");
  client.type("to nobody\r");
  expect((await client.next("error")).message).toContain("attach to one first");
});

test("an older build says so once", async () => {
  const served = await serveHost();
  const client = await served.connect();
  for (const connection of served.connections) {
    connection.outdated();
    connection.outdated();
  }
  expect(await client.next("outdated")).toEqual({ type: "outdated", running: 0 });
  await client.call({ op: "list", sessionId: "s" });
  expect(client.events.filter(({ type }) => type === "outdated")).toHaveLength(1);
});
