import { readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { terminalLimits } from "../../../src/host/terminal-limits.ts";
import type { Kind } from "../channel/channel-client.ts";
import { serveHost } from "../channel/served-host.ts";

const WAITS = "read line";

test("a terminal of another session is not found, in the same words as one that never was", async () => {
  const client = await (await serveHost()).connect();
  const other = await client.script("other", WAITS);
  const ask = async (target: string) => {
    const reply = await client.ask({ op: "cursor", sessionId: "mine", target });
    return "error" in reply ? reply.error.replaceAll(target, "X") : reply;
  };
  expect(await ask(other.id)).toBe(await ask("00000000-0000-4000-8000-000000000000"));
  expect(await ask(other.id)).toBe('there is no terminal "X"; the session has none');
  expect(await client.call({ op: "list", sessionId: "mine" })).toEqual({
    kind: "list",
    windows: [],
  });
  await client.call({ op: "closeSession", sessionId: "mine" });
  await client.call({ op: "cursor", sessionId: "other", target: other.id });
});

test("a terminal is meant by its id, its number or its name", async () => {
  const client = await (await serveHost()).connect();
  const first = await client.script("s", WAITS, { name: "build" });
  const second = await client.script("s", WAITS, { name: "1" });
  const idOf = async (target: string) =>
    ((await client.call({ op: "cursor", sessionId: "s", target })) as Kind<"cursor">).terminal.id;
  expect(await idOf(first.id)).toBe(first.id);
  expect(await idOf("2")).toBe(second.id);
  expect(await idOf("build")).toBe(first.id);
  // A number goes before a name.
  expect(await idOf("1")).toBe(first.id);
});

test("a name that several have is refused with their numbers", async () => {
  const client = await (await serveHost()).connect();
  await client.script("s", WAITS, { name: "build" });
  await client.script("s", WAITS);
  await client.script("s", WAITS, { name: "build" });
  const reply = await client.ask({ op: "cursor", sessionId: "s", target: "build" });
  expect(reply).toMatchObject({
    error: 'several terminals are called "build": 1, 3; give the number of one',
  });
  const unknown = await client.ask({ op: "cursor", sessionId: "s", target: "nope" });
  expect(unknown).toMatchObject({
    error: 'there is no terminal "nope"; the session has 1 (build), 2, 3 (build)',
  });
});

test("a number is used again only after its terminal was closed", async () => {
  const client = await (await serveHost()).connect();
  const first = await client.script("s", "true");
  await client.read({
    sessionId: "s",
    target: first.id,
    wait: { until: "exit", timeoutMs: 10_000 },
  });
  expect((await client.script("s", WAITS)).index).toBe(2);
  await client.call({ op: "close", sessionId: "s", key: "c", target: "1" });
  expect((await client.script("s", WAITS)).index).toBe(1);
  expect((await client.script("elsewhere", WAITS)).index).toBe(1);
});

test("a session and the host hold as many terminals as they may, and say how to hold more", async () => {
  const limits = terminalLimits({ maxTerminals: 3, maxSessionTerminals: 2 });
  const client = await (await serveHost({ limits })).connect();
  const open = (sessionId: string, key: string) =>
    client.ask({ op: "open", sessionId, key, cwd: "/", env: null, cols: 80, rows: 24 });
  await client.script("s", WAITS);
  await client.script("s", WAITS);
  expect(await open("s", "a")).toMatchObject({
    error:
      "the session has as many terminals as it may, 2; close one and try again, or start the host with a higher --max-session-terminals",
  });
  await client.script("t", WAITS);
  expect(await open("t", "b")).toMatchObject({
    error:
      "the host holds as many terminals as it may, 3; close one and try again, or start the host with a higher --max-terminals",
  });
  await client.call({ op: "close", sessionId: "s", key: "c", target: "1" });
  expect(await open("t", "d")).toMatchObject({ result: { terminal: { index: 2 } } });
});

test("a session holds half of what its host does, and never more than all", () => {
  expect(terminalLimits()).toEqual({ host: 64, session: 32 });
  expect(terminalLimits({ maxTerminals: 200 })).toEqual({ host: 200, session: 100 });
  expect(terminalLimits({ maxTerminals: 1 })).toEqual({ host: 1, session: 1 });
  expect(terminalLimits({ maxSessionTerminals: 200 })).toEqual({ host: 64, session: 64 });
});

test("an open that fails uses no number up and says why", async () => {
  const client = await (await serveHost()).connect();
  const call = { op: "open", sessionId: "s", env: null, cols: 80, rows: 24 } as const;
  const reply = await client.ask({ ...call, key: "a", cwd: "/no/such" });
  expect(reply).toMatchObject({
    error: 'cwd must be a directory, "/no/such" does not exist',
  });
  const named = await client.ask({ ...call, key: "b", cwd: "/", env: "nobody-wrote-this" });
  expect(named).toMatchObject({ error: expect.stringContaining("there is no such file") });
  const sized = await client.ask({ ...call, key: "c", cwd: "/", cols: 0 });
  expect(sized).toMatchObject({ error: "cols must be an integer from 1 to 65535, got 0" });
  expect((await client.script("s", WAITS)).index).toBe(1);
});

test("a rename is told, an empty name takes it away", async () => {
  const client = await (await serveHost()).connect();
  await client.script("s", WAITS, { name: "a" });
  client.send({ type: "list", sessionId: "s" });
  await client.next("list");
  await client.call({ op: "rename", sessionId: "s", target: "a", name: "b" });
  expect((await client.next("terminals")).terminals[0]?.name).toBe("b");
  const bare = await client.call({ op: "rename", sessionId: "s", target: "b", name: "" });
  expect((bare as Kind<"terminal">).terminal).not.toHaveProperty("name");
  expect((await client.next("terminals")).terminals[0]).not.toHaveProperty("name");
});

test("a signal goes to the job in front, and an ended program has none", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "trap 'echo got it; exit 3' USR1; echo ready; cat");
  await client.read({
    sessionId: "s",
    target: id,
    wait: { until: "match", pattern: "ready", timeoutMs: 10_000 },
  });
  await client.call({ op: "signal", sessionId: "s", target: id, signal: "SIGUSR1" });
  const read = await client.read({
    sessionId: "s",
    target: id,
    wait: { until: "exit", timeoutMs: 10_000 },
  });
  expect(read.text).toContain("got it");
  expect(read.terminal.exited).toEqual({ code: 3 });
  await expect(
    client.call({ op: "signal", sessionId: "s", target: id, signal: "SIGTERM" }),
  ).rejects.toThrow("there is nothing to signal");
});

test("a size that a call sets is the program's before the reply", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script(
    "s",
    "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done",
  );
  const wait = { until: "match", pattern: "ready", timeoutMs: 10_000 } as const;
  await client.read({ sessionId: "s", target: id, wait });
  const resized = await client.call({
    op: "resize",
    sessionId: "s",
    target: id,
    cols: 101,
    rows: 7,
  });
  expect((resized as Kind<"terminal">).terminal).toMatchObject({ cols: 101, rows: 7 });
  const read = await client.read({
    sessionId: "s",
    target: id,
    wait: { until: "exit", timeoutMs: 10_000 },
  });
  expect(read.text).toContain("7 101");
});

const exit = { until: "exit", timeoutMs: 10_000 } as const;
const said = { until: "match", pattern: "^pid \\d+$", timeoutMs: 10_000 } as const;
const pidIn = (text: string) => Number(/^pid (\d+)$/m.exec(text)?.[1]);

test("closing an ended terminal ends what it left behind", async () => {
  const client = await (await serveHost()).connect();
  const detached = "setsid sh -c 'echo pid $$; exec sleep 1000'";
  const { id } = await client.script("s", `${detached} & read line`);
  const { text } = await client.read({ sessionId: "s", target: id, wait: said });
  const enter = { key: "e", keys: ["Enter"], literal: false };
  await client.call({ op: "send", sessionId: "s", target: id, ...enter });
  await client.read({ sessionId: "s", target: id, wait: exit });
  expect(readlinkSync(`/proc/${pidIn(text)}/exe`)).not.toBe("");
  await client.call({ op: "close", sessionId: "s", key: "c", target: id });
  expect(() => readlinkSync(`/proc/${pidIn(text)}/exe`)).toThrow();
});

test("closing an ended terminal ends nothing of the one that has its device now", async () => {
  const client = await (await serveHost()).connect();
  const ended = await client.script("s", "true");
  await client.read({ sessionId: "s", target: ended.id, wait: exit });
  // The kernel gives out the lowest number that is free, which is that of the ended one unless others run here.
  const live = await client.script("s", "setsid sleep 1001 & echo pid $!; read line");
  const { text } = await client.read({ sessionId: "s", target: live.id, wait: said });
  await client.call({ op: "close", sessionId: "s", key: "c", target: ended.id });
  expect(readlinkSync(`/proc/${pidIn(text)}/exe`)).not.toBe("");
  await client.call({ op: "close", sessionId: "s", key: "d", target: live.id });
  expect(() => readlinkSync(`/proc/${pidIn(text)}/exe`)).toThrow();
});
