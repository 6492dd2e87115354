import { expect, test } from "vitest";
import { serveHost } from "./served-host.ts";

const match = (pattern: string) => ({ until: "match", pattern, timeoutMs: 20_000 }) as const;
const exit = { until: "exit", timeoutMs: 20_000 } as const;

test("bytes of a connection that looks at nothing are refused in words", async () => {
  const client = await (await serveHost()).connect();
  client.type("ls\r");
  expect((await client.next("error")).message).toContain("attach to one first");
  client.send(new Uint8Array(0));
  await client.call({ op: "list", sessionId: "s" });
  // A frame without bytes types nothing.
  expect(client.events.filter(({ type }) => type === "error")).toHaveLength(1);
});

test("a connection follows the sessions that it lists and no others", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const other = await served.connect();
  for (const sessionId of ["a", "b", "never heard of"]) {
    client.send({ type: "list", sessionId });
    expect(await client.next("list")).toEqual({ type: "list", terminals: [] });
  }
  const one = await other.script("a", "cat");
  const two = await other.script("b", "cat");
  await client.next("terminals", ({ terminals }) => terminals[0]?.id === two.id);
  await other.script("c", "cat");
  await other.call({ op: "close", sessionId: "a", key: "k", target: one.id });
  const emptied = await client.next("terminals", ({ terminals }) => terminals.length === 0);
  expect(emptied).toEqual({ type: "terminals", terminals: [] });
  await other.call({ op: "closeSession", sessionId: "b" });
  await client.next("terminals", (event) => event !== emptied && event.terminals.length === 0);
  const told = client.events.flatMap((event) =>
    event.type === "terminals" ? event.terminals.map(({ sessionId }) => sessionId) : [],
  );
  expect([...new Set(told)].sort()).toEqual(["a", "b"]);
});

test.each([
  [{ cols: 0, rows: 24 }, "cols must be an integer from 1 to 65535, got 0"],
  [{ cols: 80, rows: -1 }, "rows must be an integer from 1 to 65535, got -1"],
  [{ cols: 80.5, rows: 24 }, "cols must be an integer from 1 to 65535, got 80.5"],
  [{ cols: 65_536, rows: 1 }, "cols must be an integer from 1 to 65535, got 65536"],
  [{ cols: 60_000, rows: 5 }, "cols times rows must be at most 262144, got 60000 times 5"],
])("the size %j is refused, and the terminal keeps its own", async (size, message) => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", "cat");
  await client.attach(id);
  client.send({ type: "resize", ...size });
  expect((await client.next("error")).message).toBe(message);
  const reply = await client.ask({ op: "resize", sessionId: "s", target: id, ...size });
  expect(reply).toMatchObject({ error: message });
  expect(served.host.terminals.get(id)?.size).toEqual({ cols: 80, rows: 24 });
});

test("a viewer's size for a program that has ended is passed over", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", "true");
  await client.read({ sessionId: "s", target: id, wait: exit });
  await client.attach(id);
  client.send({ type: "resize", cols: 100, rows: 50 });
  await client.call({ op: "list", sessionId: "s" });
  expect(served.host.terminals.get(id)?.size).toEqual({ cols: 80, rows: 24 });
  expect(client.events.some(({ type }) => type === "error")).toBe(false);
});

test("an acknowledgement of what never was sent makes no window larger", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const write = "stty -echo; read line; yes 'some words' | head -c 3000000; cat";
  const { id } = await client.script("s", write);
  const viewer = await served.connect();
  viewer.acknowledge = 0;
  // Before there was anything to see, and with all that was seen.
  viewer.send({ type: "ack", bytes: 1_000_000_000 });
  await viewer.attach(id);
  viewer.send({ type: "ack", bytes: Number.MAX_SAFE_INTEGER });
  await viewer.call({ op: "list", sessionId: "s" });
  const before = viewer.bytes;
  viewer.type("\r");
  await viewer.until(() => viewer.bytes - before >= 256 * 1024);
  const ring = served.host.terminals.get(id)?.ring;
  while ((ring?.end ?? 3_000_000) < 3_000_000) await client.call({ op: "list", sessionId: "s" });
  await viewer.call({ op: "list", sessionId: "s" });
  expect(viewer.bytes - before).toBeLessThanOrEqual(256 * 1024);
});

test("to close a session without terminals is nothing, and done", async () => {
  const client = await (await serveHost()).connect();
  expect(await client.call({ op: "closeSession", sessionId: "nobody's" })).toEqual({
    kind: "done",
  });
});

test("what has ended stays listed until it is closed, takes no keys, and is closed without force", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "exit 7");
  const target = { sessionId: "s", target: id } as const;
  await client.read({ ...target, wait: exit });
  expect(await client.call({ op: "list", sessionId: "s" })).toMatchObject({
    windows: [{ terminal: { id, index: 1, exited: { code: 7 } } }],
  });
  const sent = await client.ask({ op: "send", ...target, key: "k", keys: ["x"], literal: true });
  expect(sent).toMatchObject({ error: expect.stringContaining("has ended") });
  await client.attach(id);
  client.send({ type: "close" });
  await client.next("closed");
  expect(await client.call({ op: "list", sessionId: "s" })).toEqual({ kind: "list", windows: [] });
});

test("a terminal is where it was opened from the first word of it on", async () => {
  const client = await (await serveHost()).connect();
  for (let count = 0; count < 20; count += 1) {
    expect(await client.script("s", "cat", { cwd: "/usr" })).toMatchObject({ cwd: "/usr" });
  }
  const { id } = await client.script("s", "cd /etc; echo there; cat");
  const read = await client.read({ sessionId: "s", target: id, wait: match("there") });
  expect(read.terminal.cwd).toBe("/etc");
});

test("a call that was joined goes on when the connection is gone that made it first", async () => {
  const served = await serveHost();
  const first = await served.connect();
  const second = await served.connect();
  const { id } = await first.script("s", "stty -echo; echo ready; cat");
  await first.read({ sessionId: "s", target: id, wait: match("ready") });
  const send = { op: "send", sessionId: "s", target: id, literal: true, submit: true } as const;
  // Enter comes a moment later, so that it is under way for both.
  first.send({ type: "call", id: -1, call: { ...send, key: "k", keys: ["words"] } });
  await first.call({ op: "list", sessionId: "s" });
  const joined = second.call({ ...send, key: "k", keys: ["words"] });
  first.send({ type: "cancel", id: -1 });
  first.socket.destroy();
  expect(await joined).toEqual({ kind: "done" });
  const { text } = await second.read({
    sessionId: "s",
    target: id,
    from: 0,
    wait: match("^words"),
  });
  expect(text).toBe("ready\nwords\n");
});

test("the connection of a wait that is cancelled goes on, and the number is free again", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "cat");
  const read = { op: "read", sessionId: "s", target: id, wait: match("never") } as const;
  for (let round = 0; round < 3; round += 1) {
    client.send({ type: "call", id: -5, call: read });
    client.send({ type: "cancel", id: -5 });
    expect(await client.next("reply", ({ id: of }) => of === -5)).toEqual({
      type: "reply",
      id: -5,
      error: "the call was cancelled",
    });
  }
  client.send({ type: "cancel", id: -5 });
  client.send({ type: "cancel", id: 123_456 });
  await client.call({ op: "list", sessionId: "s" });
  expect(client.events.some(({ type }) => type === "error")).toBe(false);
});
