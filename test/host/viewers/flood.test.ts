import { expect, test } from "vitest";
import { Screens } from "../../../src/host/screen/screens.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { serveHost } from "../channel/served-host.ts";
import { screenWorker } from "../screen/build-worker.ts";

/** Waits for Enter, writes so many bytes of lines, and says so. */
const flood = (bytes: number, after = "") =>
  `stty -echo; read line; yes 'some words of a line' | head -c ${bytes}; printf '\\nTHE END\\n'; ${after}`;

const exit = { until: "exit", timeoutMs: 20_000 } as const;

test("a stopped viewer holds nobody up, costs less than 1 MiB and sees the end of it later", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", flood(30_000_000));
  const stopped = await served.connect();
  const silent = await served.connect();
  const quick = await served.connect();
  silent.acknowledge = 0;
  for (const viewer of [stopped, silent, quick]) await viewer.attach(id);
  quick.keeps = false;
  stopped.socket.pause();
  const sockets = [...served.sockets];
  quick.type("\r");
  await client.read({ sessionId: "s", target: id, wait: exit });
  await quick.next("changed", ({ terminal }) => terminal.exited !== undefined);
  expect(silent.bytes).toBeLessThanOrEqual(256 * 1024);
  for (const socket of sockets) expect(socket.writableLength).toBeLessThan(256 * 1024);
  stopped.socket.resume();
  await stopped.shows("THE END");
  const skipped = stopped.events.filter((event) => event.type === "skipped");
  expect(skipped.length).toBeGreaterThan(0);
  silent.send({ type: "ack", bytes: silent.bytes });
  await silent.shows("THE END");
  expect(quick.isClosed || silent.isClosed || stopped.isClosed).toBe(false);
});

test("what was skipped is told to the byte", async () => {
  const screens = new Screens({
    clock: systemClock,
    version: "1.2.3",
    worker: await screenWorker(),
  });
  const paints: number[] = [];
  const served = await serveHost({
    openScreen: (options) => {
      const screen = screens.open(options);
      const snapshot = screen.snapshot.bind(screen);
      screen.snapshot = async (wanted) => {
        const taken = await snapshot(wanted);
        paints.push(taken.bytes.length);
        return taken;
      };
      return screen;
    },
  });
  const client = await served.connect();
  const { id } = await client.script("s", flood(8_000_000));
  const viewer = await served.connect();
  viewer.acknowledge = 0;
  await viewer.attach(id);
  viewer.type("\r");
  const read = await client.read({ sessionId: "s", target: id, wait: exit });
  // All in between comes at once, and one that takes it in steps goes on to the end.
  let told = 0;
  while (!viewer.output.subarray(-4_096).includes("THE END")) {
    const due = viewer.bytes - told;
    if (due > 0) viewer.send({ type: "ack", bytes: due });
    told += due;
    await viewer.until(() => viewer.bytes > told);
  }
  await viewer.next("changed", ({ terminal }) => terminal.exited !== undefined);
  const skipped = viewer.events.reduce(
    (sum, event) => sum + (event.type === "skipped" ? event.bytes : 0),
    0,
  );
  const painted = paints.reduce((sum, bytes) => sum + bytes, 0);
  expect(skipped).toBeGreaterThan(4_000_000);
  expect(viewer.bytes - painted + skipped).toBe(read.to);
  await screens.close();
});

test("keys in another terminal echo while one floods, each before the flood has ended", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", flood(400_000_000));
  const flooded = await served.connect();
  flooded.keeps = false;
  await flooded.attach(id);
  const other = await client.script("s", "cat");
  const viewer = await served.connect();
  await viewer.attach(other.id);
  flooded.type("\r");
  await flooded.until(() => flooded.bytes > 1_000_000);
  for (let key = 0; key < 50; key += 1) {
    const before = viewer.bytes;
    viewer.type("k");
    await viewer.until(() => viewer.bytes > before);
    expect(served.host.terminals.get(id)?.state).toBe("running");
  }
  await client.call({ op: "close", sessionId: "s", key: "c", target: id });
});

test("a title that changes without end is told now and then, and a bell is no change", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const titles =
    "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); printf '\\033]2;title %s\\007\\007' $i; done";
  const { id } = await client.script("s", `stty -echo; read line; ${titles}; read line`);
  const viewer = await served.connect();
  await viewer.attach(id);
  viewer.type("\r");
  await viewer.next("changed", ({ terminal }) => terminal.title === "title 5000");
  const changes = viewer.events.filter(({ type }) => type === "changed");
  expect(changes.length).toBeLessThan(100);
  for (let at = 1; at < changes.length; at += 1) expect(changes[at]).not.toEqual(changes[at - 1]);
});

test("an interrupt shows what came of it in place of what was on its way there", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const trap = "trap 'printf \"INTERRUPTED\"; read line' INT";
  const { id } = await client.script("s", `${trap}; ${flood(400_000_000, "read line")}`);
  const viewer = await served.connect();
  await viewer.attach(id);
  viewer.type("\r");
  await viewer.until(() => viewer.bytes > 700_000);
  // It takes no more, so that there is something on its way.
  viewer.acknowledge = 0;
  const { ring } = served.host.terminals.get(id) ?? {};
  const behind = (ring?.end ?? 0) + 2 * 1024 * 1024;
  while ((ring?.end ?? behind) < behind) await client.call({ op: "list", sessionId: "s" });
  const before = viewer.events.length;
  viewer.type("\x03");
  viewer.acknowledge = 1;
  viewer.send({ type: "ack", bytes: 128 * 1024 });
  await viewer.shows("INTERRUPTED");
  const told = viewer.events.slice(before).map(({ type }) => type);
  expect(told).toContain("skipped");
  await client.call({ op: "close", sessionId: "s", key: "c", target: id });
});
