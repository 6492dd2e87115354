import { expect, test } from "vitest";
import { serveHost } from "../channel/served-host.ts";

const RUNS = 100;
const AT_ONCE = 8;

test("after a wait for the end a read has the last line, every time", async () => {
  const served = await serveHost();
  const client = await served.connect();
  let next = 0;
  const missing: string[] = [];
  const worker = async (name: string) => {
    for (let run = next; run < RUNS; run = next) {
      next += 1;
      const count = run % 2 === 0 ? 3_000 : 1;
      const { id } = await client.script(name, `seq 1 ${count}; printf 'last of ${run}'`);
      const exit = { until: "exit", timeoutMs: 15_000 } as const;
      const first = await client.read({ sessionId: name, target: id, wait: exit });
      const whole = await client.read({ sessionId: name, target: id, from: 0 });
      const lines = whole.text.split("\n");
      const isWhole = lines.length === count + 1 && lines.at(-1) === `last of ${run}`;
      if (first.waited !== "exit" || first.to !== whole.to || !isWhole) missing.push(first.text);
      if (first.terminal.exited?.code !== 0) missing.push(JSON.stringify(first.terminal));
      await client.call({ op: "close", sessionId: name, key: `c${run}`, target: id });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => worker(`s${index}`)));
  expect(missing).toEqual([]);
  expect(served.host.terminals.all).toEqual([]);
}, 60_000);

test("a viewer is told of the end after it was sent the last output", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", "read line; seq 1 20000; printf 'the very last'");
  const viewer = await served.connect();
  await viewer.attach(id);
  viewer.type("\r");
  await viewer.next("changed", ({ terminal }) => terminal.exited !== undefined);
  expect(viewer.output.toString().endsWith("the very last")).toBe(true);
});

test("a viewer that takes nothing is told of the end all the same", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", "read line; head -c 600000 /dev/zero | tr '\\0' x");
  const viewer = await served.connect();
  viewer.acknowledge = 0;
  await viewer.attach(id);
  viewer.type("\r");
  const { terminal } = await viewer.next("changed", ({ terminal: one }) => "exited" in one);
  expect(terminal.exited).toEqual({ code: 0 });
  expect(viewer.bytes).toBeLessThanOrEqual(256 * 1024);
});

test("how a program ended is told", async () => {
  const client = await (await serveHost()).connect();
  const exitOf = async (script: string) => {
    const { id } = await client.script("s", script);
    const wait = { until: "exit", timeoutMs: 10_000 } as const;
    return (await client.read({ sessionId: "s", target: id, wait })).terminal.exited;
  };
  expect(await exitOf("exit 7")).toEqual({ code: 7 });
  expect(await exitOf("kill -KILL $$")).toEqual({ error: "ended by SIGKILL" });
});

test("an ended terminal takes no size and no input, and its screen stays", async () => {
  const client = await (await serveHost()).connect();
  const { id } = await client.script("s", "echo words");
  const target = { sessionId: "s", target: id };
  await client.read({ ...target, wait: { until: "exit", timeoutMs: 10_000 } });
  const resized = await client.call({ op: "resize", ...target, cols: 100, rows: 50 });
  expect(resized).toMatchObject({ terminal: { cols: 80, rows: 24 } });
  await client.attach(id);
  await client.shows("words");
  client.type("x");
  expect((await client.next("error")).message).toBe(
    "the program has ended: 0 of 1 bytes were typed",
  );
  expect(await client.call({ op: "capture", ...target, scrollback: 0 })).toMatchObject({
    text: "words",
  });
  client.send({ type: "close" });
  await client.next("closed");
});

test("a terminal is closed once however many close it, and every viewer is told", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", "trap '' HUP; echo ready; cat");
  const viewers = await Promise.all([served.connect(), served.connect()]);
  for (const viewer of viewers) await viewer.attach(id);
  await viewers[0].shows("ready");
  viewers[0].send({ type: "close", force: true });
  await client.call({ op: "close", sessionId: "s", key: "c", target: id });
  for (const viewer of viewers) expect((await viewer.next("closed")).terminalId).toBe(id);
  for (const viewer of viewers) {
    viewer.send({ type: "ack", bytes: 1 });
    viewer.type("x");
    expect((await viewer.next("error")).message).toContain("attach to one first");
  }
});

test("a terminal at work is not closed unless by force, one at its prompt is", async () => {
  const served = await serveHost();
  const client = await served.connect();
  client.send({ type: "open", sessionId: "s", cwd: "/", env: null, cols: 80, rows: 24 });
  const { terminal } = await client.next("attached");
  client.type("sh -c 'echo at wor''k; exec sleep 1000'\r".replace("''", '""'));
  await client.shows("at work");
  client.send({ type: "close" });
  const busy = await client.next("busy");
  expect(busy).toEqual({ type: "busy", terminalId: terminal.id, program: expect.any(String) });
  client.type("\x03");
  await client.until(() => served.host.windows("s")[0]?.foreground === undefined);
  client.type("echo back\r");
  await client.shows("back\r\n");
  client.send({ type: "close" });
  expect((await client.next("closed")).terminalId).toBe(terminal.id);
});
