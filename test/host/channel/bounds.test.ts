import { expect, test } from "vitest";
import { Changes } from "../../../src/host/channel/changes.ts";
import { Latest } from "../../../src/host/channel/latest.ts";
import { SessionLists } from "../../../src/host/channel/lists.ts";
import { Screens } from "../../../src/host/screen/screens.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { terminal } from "../client/peer.ts";
import { screenWorker } from "../screen/build-worker.ts";
import { serveHost } from "./served-host.ts";

test("a connection that attaches without end has one screen painted at a time, and sees the last", async () => {
  const worker = await screenWorker();
  const screens = new Screens({ clock: systemClock, version: "1.2.3", worker });
  const counts = { painting: 0, most: 0, painted: 0 };
  const served = await serveHost({
    openScreen: (options) => {
      const screen = screens.open(options);
      const snapshot = screen.snapshot.bind(screen);
      screen.snapshot = async (wanted) => {
        counts.painting += 1;
        counts.most = Math.max(counts.most, counts.painting);
        const painted = await snapshot(wanted);
        counts.painting -= 1;
        counts.painted += 1;
        return painted;
      };
      return screen;
    },
  });
  const client = await served.connect();
  const one = await client.script("s", "cat");
  const other = await client.script("s", "echo the other; cat");
  const ATTACHES = 2_000;
  for (let count = 0; count < ATTACHES; count += 1) {
    client.send({ type: "attach", terminalId: count % 2 === 0 ? one.id : other.id });
  }
  await client.shows("the other");
  expect(counts.most).toBe(1);
  expect(counts.painted).toBeLessThan(ATTACHES / 2);
  client.type("typed\r");
  await client.shows("typed\r\ntyped");
  expect(served.host.terminals.all.map(({ viewers }) => viewers)).toEqual([0, 1]);
  await screens.close();
});

test("a terminal that is as wide as may be keeps no more cells than others", async () => {
  const client = await (await serveHost()).connect();
  const script =
    "stty -echo; read line; seq 1 2000; echo wide; read line; seq 1 2000; echo narrow; cat";
  const { id } = await client.script("s", script, { cols: 65_535, rows: 4 });
  const target = { sessionId: "s", target: id } as const;
  const lines = async (pattern: string) => {
    await client.call({ op: "send", ...target, key: pattern, keys: ["Enter"], literal: false });
    await client.read({ ...target, wait: { until: "match", pattern, timeoutMs: 20_000 } });
    const captured = await client.call({ op: "capture", ...target, scrollback: 1_000_000 });
    return "text" in captured ? captured.text.split("\n") : [];
  };
  const wide = await lines("wide");
  expect(wide.length).toBeLessThan(4 + 20);
  expect(wide.slice(-2)).toEqual(["2000", "wide"]);
  await client.call({ op: "resize", ...target, cols: 80, rows: 24 });
  const narrow = await lines("narrow");
  expect(narrow.length).toBeGreaterThan(1_000);
});

/** A host that states a terminal in so many bytes. */
async function wordy(bytes: number) {
  const served = await serveHost();
  const { host } = served;
  const info = host.info.bind(host);
  const state = { isOn: false };
  const title = "x".repeat(bytes);
  host.info = (one) => (state.isOn ? { ...info(one), title } : info(one));
  return { served, state };
}

test("a connection that is cut by the first word to a viewer leaves no viewer behind", async () => {
  const { served, state } = await wordy(9 * 1024 * 1024);
  const client = await served.connect();
  const { id } = await client.script("s", "cat");
  client.socket.pause();
  state.isOn = true;
  client.send({ type: "attach", terminalId: id });
  await served.hasLeft(0);
  expect(served.host.terminals.get(id)?.viewers).toBe(0);
});

test("a list that no frame holds is refused, and one that is followed harms nobody", async () => {
  const { served, state } = await wordy(17 * 1024 * 1024);
  const client = await served.connect();
  const { id } = await client.script("s", "cat");
  client.send({ type: "list", sessionId: "s" });
  await client.next("list");
  state.isOn = true;
  served.host.terminals.get(id)?.rename("another");
  expect((await client.next("error")).message).toContain("cannot be listed");
  client.send({ type: "list", sessionId: "s" });
  expect((await client.next("error")).message).toContain("cannot be listed");
  const reply = await client.ask({ op: "list", sessionId: "s" });
  expect(reply).toMatchObject({ error: expect.stringContaining("the result cannot be sent") });
  state.isOn = false;
  await client.call({ op: "list", sessionId: "s" });
});

test("lists that end while they are told leave nothing that waits", async () => {
  const clock = new FakeClock();
  const { host } = await serveHost({ clock: systemClock });
  const one = await host.open({
    sessionId: "s",
    cwd: "/",
    environmentName: null,
    isAgents: false,
    exec: ["/bin/cat"],
    cols: 80,
    rows: 24,
  });
  let mayTell = true;
  const ground = { clock, infos: host.infos.bind(host), terminals: host.terminals };
  const lists: SessionLists = new SessionLists(ground, {
    tell: () => {
      // As where the connection is cut for what waits in it.
      lists.end();
      mayTell = false;
    },
    mayTell: () => mayTell,
  });
  for (const sessionId of ["s", "t"]) lists.add(sessionId);
  one.rename("another");
  await clock.advance(50);
  expect(mayTell).toBe(false);
  expect(clock.pending).toBe(0);
});

test("changes that end while they are told leave nothing that waits", async () => {
  const clock = new FakeClock();
  let title = "one";
  let tells = 0;
  const changes: Changes = new Changes({
    clock,
    first: terminal({ title }),
    read: () => terminal({ title }),
    isClosed: () => false,
    tell: () => {
      tells += 1;
      changes.end();
    },
    tellClosed: () => {},
    mayTell: () => true,
    isUpToDate: () => true,
    window: { movedAt: 0, isAcknowledged: false },
  });
  title = "two";
  changes.look();
  expect(tells).toBe(1);
  expect(clock.pending).toBe(0);
});

test("what waits to be typed into a terminal is bounded, and there is room again", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", "stty raw -echo; echo ready; exec cat >/dev/null");
  const wait = { until: "match", pattern: "ready", timeoutMs: 20_000 } as const;
  await client.read({ sessionId: "s", target: id, wait });
  const keys = ["x".repeat(700_000)];
  const send = { op: "send", sessionId: "s", target: id, literal: true, submit: true } as const;
  const [first, second] = await Promise.all([
    client.ask({ ...send, key: "a", keys }),
    client.ask({ ...send, key: "b", keys }),
  ]);
  expect(first).toMatchObject({ result: { kind: "done" } });
  expect(second).toMatchObject({ error: expect.stringMatching(/^700000 characters wait/) });
  expect(await client.ask({ ...send, key: "c", keys: ["y"] })).toMatchObject({
    result: { kind: "done" },
  });
});

test("a storm of themes is a few, the first at once and the last for good", async () => {
  const clock = new FakeClock();
  const set: number[] = [];
  const latest = new Latest<number>(clock, 50, (value) => set.push(value));
  for (let count = 0; count < 1_000; count += 1) {
    latest.set(count);
    if (count % 10 === 0) await clock.advance(1);
  }
  await clock.advance(1_000);
  expect(set[0]).toBe(0);
  expect(set.at(-1)).toBe(999);
  expect(set.length).toBeLessThan(5);
  expect(clock.pending).toBe(0);
  latest.set(1_000);
  latest.set(1_001);
  latest.end();
  expect(set.at(-1)).toBe(1_001);
  expect(clock.pending).toBe(0);
});

test("a terminal is closed once by a connection that asks without end", async () => {
  const served = await serveHost();
  const { host } = served;
  const close = host.close.bind(host);
  let closes = 0;
  host.close = (one) => {
    closes += 1;
    return close(one);
  };
  const client = await served.connect();
  const { id } = await client.script("s", "trap '' HUP; echo ready; cat");
  await client.attach(id);
  await client.shows("ready");
  for (let count = 0; count < 1_000; count += 1) client.send({ type: "close", force: true });
  await client.next("closed");
  expect(closes).toBe(1);
});
