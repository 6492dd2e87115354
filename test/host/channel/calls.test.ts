import { expect, test } from "vitest";
import type { HostCall, TerminalEvent } from "../../../src/host/channel/messages.ts";
import { MAX_CALLS } from "../../../src/host/channel/running-calls.ts";
import { serveHost } from "./served-host.ts";

const until = (pattern: string) => ({ until: "match", pattern, timeoutMs: 10_000 }) as const;

test("an open that is repeated over another connection opens one terminal", async () => {
  const served = await serveHost();
  const call: HostCall = {
    op: "open",
    sessionId: "s",
    key: "k",
    cwd: "/",
    env: null,
    exec: ["/bin/cat"],
    cols: 80,
    rows: 24,
  };
  const first = await served.connect();
  const second = await served.connect();
  const [one, two] = await Promise.all([first.call(call), second.call(call)]);
  expect(one).toEqual(two);
  first.socket.destroy();
  expect(await second.call(call)).toEqual(one);
  expect(served.host.terminals.all).toHaveLength(1);
  const other = await second.ask({ ...call, cols: 81 });
  expect(other).toMatchObject({ error: expect.stringContaining("a key names one call") });
});

test("a send that is repeated is typed once, a close that is repeated has its result", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "cat");
  const send = { op: "send", sessionId: "s", key: "a", target: id } as const;
  await client.call({ ...send, keys: ["hi", "Enter"], literal: false });
  await client.call({ ...send, keys: ["hi", "Enter"], literal: false });
  await client.call({ ...send, key: "b", keys: ["bye\r"], literal: true });
  const read = await client.read({ sessionId: "s", target: id, wait: until("bye\\n[^]*bye") });
  expect(read.text.match(/hi/g)).toHaveLength(2);
  const close = { op: "close", sessionId: "s", key: "c", target: id } as const;
  const closed = await Promise.all([client.call(close), client.call(close)]);
  expect([...closed, await client.call(close)]).toEqual(
    Array.from({ length: 3 }, () => ({ kind: "closed", terminalId: id })),
  );
});

test("a failure is remembered with its key", async () => {
  const client = await (await serveHost()).connect();
  const call = { op: "close", sessionId: "s", key: "c", target: "work" } as const;
  const first = await client.ask(call);
  await client.script("s", "cat", { name: "work" });
  const second = await client.ask(call);
  expect("error" in first && "error" in second && first.error === second.error).toBe(true);
});

test("a number that is under way is refused, and so are too many calls", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "cat");
  const endless = { until: "match", pattern: "never", timeoutMs: 60_000 } as const;
  const read: HostCall = { op: "read", sessionId: "s", target: id, wait: endless };
  client.send({ type: "call", id: -1, call: read });
  client.send({ type: "call", id: -1, call: read });
  const refused = await client.next("reply", (event) => event.id === -1);
  expect(refused).toMatchObject({ error: expect.stringContaining("a call under way") });
  for (let count = 1; count < MAX_CALLS; count += 1) {
    client.send({ type: "call", id: -1 - count, call: read });
  }
  const over = await client.ask(read, -1_000);
  expect(over).toMatchObject({ error: "256 calls are under way; try again when one has ended" });
  client.send({ type: "cancel", id: -2 });
  expect(await client.next("reply", (event) => event.id === -2)).toMatchObject({
    error: "the call was cancelled",
  });
  client.send({ type: "cancel", id: 77 });
  await client.call({ op: "list", sessionId: "s" });
});

test("a wait ends with its terminal, and the read says so", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", "echo here; cat");
  const endless = { until: "exit", timeoutMs: 60_000 } as const;
  await client.read({ sessionId: "s", target: id, from: 0, wait: until("here") });
  const waiting = client.read({ sessionId: "s", target: id, from: 0, wait: endless });
  await (await served.connect()).call({ op: "closeSession", sessionId: "s" });
  const { waited, text } = await waiting;
  // Its program ended first, by the signal that closing sends.
  expect(["exit", "closed"]).toContain(waited);
  expect(text).toContain("here");
});

test("what is submitted stays together whoever else sends", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "stty -echo; echo ready; cat");
  await client.read({ sessionId: "s", target: id, wait: until("ready") });
  const send = { op: "send", sessionId: "s", target: id, literal: true } as const;
  await Promise.all([
    client.call({ ...send, key: "a", keys: ["one"], submit: true }),
    client.call({ ...send, key: "b", keys: ["two"], submit: true }),
    client.call({ ...send, key: "c", keys: ["three\r"] }),
  ]);
  const { text } = await client.read({ sessionId: "s", target: id, wait: until("three") });
  expect(text).toBe("one\ntwo\nthree\n");
});

test("a line that the terminal would cut is refused, and told apart from one that it would not", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "cat");
  const long = "x".repeat(5_000);
  const send = { op: "send", sessionId: "s", target: id, literal: true } as const;
  const reply = await client.ask({ ...send, key: "a", keys: [`${long}\r`] });
  expect(reply).toMatchObject({ error: expect.stringContaining("no line longer than 4095 bytes") });
  const raw = await client.script("s", "stty raw -echo; echo ready; head -c 5000 | wc -c");
  await client.read({ sessionId: "s", target: raw.id, wait: until("ready") });
  await client.call({ ...send, key: "b", target: raw.id, keys: [long] });
  const { text } = await client.read({ sessionId: "s", target: raw.id, wait: until("5000") });
  expect(text).toContain("5000");
});

test("what a program does not read is refused at some time, and an interrupt gets through", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "stty -icanon -echo; echo ready; sleep 1000");
  await client.read({ sessionId: "s", target: id, wait: until("ready") });
  const send = { op: "send", sessionId: "s", target: id, literal: true } as const;
  const reply = await client.ask({ ...send, key: "a", keys: ["x".repeat(1_500_000)] });
  expect(reply).toMatchObject({
    error: expect.stringMatching(/^the program does not read: \d+ of 1500000 bytes were taken/),
  });
  await client.call({ ...send, key: "b", keys: ["C-c"], literal: false });
  const read = await client.read({
    sessionId: "s",
    target: id,
    wait: { until: "exit", timeoutMs: 10_000 },
  });
  expect(read.waited).toBe("exit");
  const late = await client.ask({ ...send, key: "c", keys: ["x"] });
  expect(late).toMatchObject({ error: expect.stringContaining("has ended") });
});

test("a read moves the read cursor, and one that only peeks does not", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "echo words; cat");
  const target = { sessionId: "s", target: id };
  const peeked = await client.read({ ...target, wait: until("words"), peek: true });
  expect(await client.call({ op: "cursor", ...target })).toMatchObject({ offset: 0 });
  const read = await client.read(target);
  expect(read).toMatchObject({ from: 0, to: peeked.to, text: "words\n" });
  expect(await client.call({ op: "cursor", ...target })).toMatchObject({ offset: read.to });
  expect(await client.read(target)).toMatchObject({ from: read.to, text: "", skipped: 0 });
  // Beyond the end is the end.
  expect(await client.read({ ...target, from: 1e9 })).toMatchObject({ from: read.to, to: read.to });
});

test("what a read is too late for is told to the byte", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "yes abcdefg | head -c 2097152; echo over; cat");
  const target = { sessionId: "s", target: id };
  const wait = { until: "match", pattern: "over", timeoutMs: 15_000 } as const;
  const read = await client.read({ ...target, from: 0, wait });
  expect(read.skipped).toBe(read.to - 1024 * 1024);
  expect(read.text).toHaveLength(256 * 1024);
  expect(read.text.endsWith("over\n")).toBe(true);
  expect(read.truncated).toBeGreaterThan(0);
});

test("a full-screen program's screen comes with a read", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "printf '\\033[?1049h\\033[3;5Hin the middle'; cat");
  const read = await client.read({ sessionId: "s", target: id, wait: until("middle") });
  expect(read.screen).toBe("\n\n    in the middle");
});

test("the colours that programs are told are the owner's, and those who asked are told of others", async () => {
  const client = await (await serveHost()).connect();
  client.send({ type: "theme", foreground: 0x111213, background: 0xfefdfc, scheme: "light" });
  const ask =
    "stty raw -echo; printf '\\033]11;?\\033\\\\\\033[?2031h'; head -c 25 | od -An -c | tr -d ' \\n'";
  const { id } = await client.script("s", `${ask}; echo; echo ready; head -c 9 | od -An -c`);
  const told = await client.read({ sessionId: "s", target: id, wait: until("ready") });
  expect(told.text).toContain("]11;rgb:fefe/fdfd/fcfc");
  client.send({ type: "theme", foreground: 1, background: 2, scheme: "dark" });
  const { text } = await client.read({ sessionId: "s", target: id, wait: until("n\\s*$") });
  expect(text.replaceAll(/\s/g, "")).toContain("033[?997;1n");
});

test("a list that is followed is told once for many changes", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const other = await served.connect();
  client.send({ type: "list", sessionId: "s" });
  expect((await client.next("list")).terminals).toEqual([]);
  const storm = "for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6 7 8 9 0; do";
  const { id } = await other.script(
    "s",
    `${storm} printf '\\033]2;title %s%s\\007\\007' $i $j; done; done; printf '\\033]2;last\\007'; cat`,
  );
  await other.script("elsewhere", "printf '\\033]2;other\\007'; cat");
  const isLast = ({ terminals }: { terminals: { title: string }[] }) =>
    terminals[0]?.title === "last";
  await client.next("terminals", isLast);
  const told = client.events.filter(({ type }) => type === "terminals");
  expect(told.length).toBeLessThan(20);
  await other.call({ op: "close", sessionId: "s", key: "c", target: id });
  await client.next("terminals", ({ terminals }) => terminals.length === 0);
  const titles = client.events.flatMap((event: TerminalEvent) =>
    event.type === "terminals" ? event.terminals.map(({ title }) => title) : [],
  );
  expect(titles).not.toContain("other");
});

test("a connection lists so many sessions and is told where that ends", async () => {
  const client = await (await serveHost()).connect();
  for (let count = 0; count <= 256; count += 1) {
    client.send({ type: "list", sessionId: `s${count}` });
  }
  expect((await client.next("error")).message).toContain("may list 256 sessions");
  client.send({ type: "list", sessionId: "s0" });
  await client.next("list");
});
