import { expect, test } from "vitest";
import { serveHost } from "./served-host.ts";

const match = (pattern: string) => ({ until: "match", pattern, timeoutMs: 30_000 }) as const;

test("who has said all is answered what was asked, then the connection ends", async () => {
  const served = await serveHost();
  const other = await served.connect();
  const { id } = await other.script("s", "cat");
  const client = await served.connect();
  client.send({ type: "list", sessionId: "s" });
  const call = { op: "read", sessionId: "s", target: id, wait: match("the word") } as const;
  client.send({ type: "call", id: 1, call });
  client.send({ type: "call", id: 2, call: { op: "list", sessionId: "s" } });
  client.socket.end();
  await client.next("list");
  await client.next("reply", (event) => event.id === 2);
  // Still there: what it waits for comes only now.
  expect(client.isClosed).toBe(false);
  await other.call({
    op: "send",
    sessionId: "s",
    key: "k",
    target: id,
    keys: ["the word"],
    literal: true,
  });
  const reply = await client.next("reply", (event) => event.id === 1);
  expect(reply).toMatchObject({ result: { kind: "read", waited: "match" } });
  await client.closed();
  expect(client.bytes).toBe(0);
  await served.hasLeft(1);
});

test("a viewer that has said all looks at nothing any more", async () => {
  const served = await serveHost();
  const other = await served.connect();
  const { id } = await other.script("s", "cat");
  const viewer = await served.connect();
  await viewer.attach(id);
  viewer.type("last");
  viewer.socket.end();
  await viewer.closed();
  expect(served.host.terminals.get(id)).toMatchObject({ viewers: 0, state: "running" });
  await served.hasLeft(1);
  const read = await other.read({ sessionId: "s", target: id, from: 0, wait: match("last") });
  expect(read.waited).toBe("match");
});

test("what is opened and closed by somebody who says no more is told all the same", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const open = { sessionId: "s", cwd: "/", env: null, cols: 80, rows: 24 } as const;
  client.send({ type: "open", ...open, exec: ["/bin/cat"] });
  client.send({ type: "close", force: true });
  client.socket.end();
  const { terminal } = await client.next("attached");
  await client.next("changed", (event) => event.terminal.exited !== undefined);
  expect(await client.next("closed")).toEqual({ type: "closed", terminalId: terminal.id });
  await client.closed();
  expect(served.host.terminals.all).toEqual([]);
  await served.hasLeft(0);
});

test("a connection that goes ends its waits, and leaves no socket behind", async () => {
  const served = await serveHost();
  const other = await served.connect();
  const { id } = await other.script("s", "cat");
  const endless = { op: "read", sessionId: "s", target: id, wait: match("never") } as const;
  const gone = await served.connect();
  gone.send({ type: "call", id: -1, call: endless });
  await gone.call({ op: "list", sessionId: "s" });
  gone.socket.destroy();
  // One that says all it has to say first, and goes then.
  const half = await served.connect();
  half.send({ type: "call", id: -1, call: endless });
  half.socket.end();
  await half.until(() => half.frames > 1);
  half.socket.destroy();
  await served.hasLeft(1);
  expect(served.host.terminals.get(id)?.state).toBe("running");
});
