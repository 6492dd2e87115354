import { beforeEach, describe, expect, it } from "vitest";
import {
  BUSY_FLUSH_PERIOD_MS,
  FLUSH_PERIOD_MS,
  type FlushReport,
} from "../../src/topics/egress.ts";
import { ElementFeed } from "../../src/topics/elements.ts";
import { Topics } from "../../src/topics/hub.ts";
import { BUSY_FRAMES_PER_SECOND } from "../../src/topics/load.ts";
import { FakeClock, settled } from "../lib/fake-clock.ts";
import { EPOCH, held, INSTANCE, publication, source, TestSink, terminal } from "./support.ts";

const setUp = () => {
  const clock = new FakeClock();
  const flushes: FlushReport[] = [];
  const hub = new Topics({ clock, onFlush: (flush) => flushes.push(flush) });
  const terminals = new ElementFeed("terminals", INSTANCE, EPOCH);
  const agents = new ElementFeed("agents", INSTANCE, EPOCH);
  hub.offer("terminals", [terminals]);
  hub.offer("agents", [agents]);
  let count = 0;
  const change = () => {
    count += 1;
    terminals.publish(publication([terminal("a", { title: String(count) })]));
    hub.changed();
  };
  const changeAgent = () => {
    count += 1;
    const run = { instance: INSTANCE, pid: 7, cwd: "/", kind: "interactive", config_dir: "/c" };
    agents.publish(publication([{ ...run, started_at: 1, status: String(count) }]));
    hub.changed();
  };
  /** A connection that has got its snapshots. */
  const subscribe = async (...topics: string[]) => {
    const sink = new TestSink();
    const reader = hub.connect(sink);
    for (const topic of topics) (await reader.open(topic))();
    sink.taken();
    return { sink, reader };
  };
  return { clock, flushes, hub, terminals, agents, change, changeAgent, subscribe };
};

describe("a flush", () => {
  let world: ReturnType<typeof setUp>;
  beforeEach(() => {
    world = setUp();
  });

  it("goes at once after quiet, and takes all that changed in one turn", async () => {
    const { change, subscribe, clock } = world;
    const { sink } = await subscribe("terminals");
    change();
    change();
    expect(sink.lines).toEqual([]);
    await settled();
    expect(sink.taken()).toMatchObject([{ prev_seq: 0, seq: 2 }]);
    expect(clock.pending).toBe(0);
  });

  it("is followed by no other for the period, and then by one", async () => {
    const { change, subscribe, clock } = world;
    const snapshot = world.terminals.snapshot();
    const { sink } = await subscribe("terminals");
    const sentAt: number[] = [];
    sink.onSend = () => sentAt.push(clock.monotonic());
    for (let ms = 0; ms < 1_000; ms += 1) {
      change();
      await clock.advance(1);
    }
    expect(sentAt).toEqual(Array.from({ length: 101 }, (_, period) => period * FLUSH_PERIOD_MS));
    await clock.advance(100);
    expect(clock.pending).toBe(0);
    expect(held([...snapshot, ...sink.lines]).rows[0]?.title).toBe("1000");
  });

  it("that found nothing to send delays no change after it", async () => {
    const { change, hub, subscribe, clock } = world;
    const { sink } = await subscribe("terminals");
    hub.changed();
    await settled();
    await clock.advance(1);
    change();
    await settled();
    expect(sink.lines).toHaveLength(1);
  });

  it("sends terminals before agents, whichever changed or was subscribed first", async () => {
    const { change, changeAgent, subscribe } = world;
    const { sink } = await subscribe("agents", "terminals");
    changeAgent();
    change();
    await settled();
    expect(sink.taken().map(({ topic }) => topic)).toEqual(["terminals", "agents"]);
  });

  it("gives every reader the same bytes", async () => {
    const { change, subscribe } = world;
    const one = await subscribe("terminals");
    const two = await subscribe("terminals");
    change();
    await settled();
    expect(one.sink.lines).toHaveLength(1);
    expect(one.sink.lines[0]).toBe(two.sink.lines[0]);
  });

  it("is reported with its frames and with the time since the first change in it", async () => {
    const { change, subscribe, clock, flushes } = world;
    await subscribe("terminals");
    await subscribe("terminals");
    change();
    await clock.advance(4);
    change();
    await clock.advance(10);
    expect(flushes).toEqual([
      { frames: 2, lagMs: 0 },
      { frames: 2, lagMs: 6 },
    ]);
  });

  it("can be had at once, whatever the period", async () => {
    const { change, hub, subscribe, clock } = world;
    const { sink } = await subscribe("terminals");
    change();
    await settled();
    change();
    hub.flush();
    expect(sink.lines).toHaveLength(2);
    await clock.advance(1_000);
    expect(sink.lines).toHaveLength(2);
  });

  it("brings a bookmark after the changes", async () => {
    const { terminals, hub, subscribe } = world;
    const { sink } = await subscribe("terminals");
    terminals.publish(publication([terminal("a")]));
    terminals.bookmarkAt({ polledAt: 8, sources: [source("ok")] });
    hub.changed();
    await settled();
    expect(sink.taken()).toMatchObject([
      { prev_seq: 0, seq: 2, data: { terminals: [terminal("a")], sources: [source("ok")] } },
      { prev_seq: 2, seq: 2, data: { terminals: [], polled_at: 8, sources: [source("ok")] } },
    ]);
  });

  it("brings no bookmark that a snapshot already said", async () => {
    const { terminals, hub } = world;
    terminals.bookmarkAt({ polledAt: 8 });
    const sink = new TestSink();
    (await hub.connect(sink).open("terminals"))();
    hub.changed();
    await settled();
    expect(sink.taken()).toMatchObject([{ snapshot: true, data: { polled_at: 8 } }]);
  });
});

describe("a hub", () => {
  it("has no timer while nothing waits", async () => {
    const { change, hub, subscribe, clock } = setUp();
    change();
    expect(clock.pending).toBe(0);
    const { sink, reader } = await subscribe("terminals");
    expect(clock.pending).toBe(0);
    change();
    await settled();
    expect(clock.pending).toBe(0);
    change();
    await settled();
    expect(clock.pending).toBe(1);
    reader.end();
    expect(clock.pending).toBe(0);
    hub.changed();
    await settled();
    expect(clock.pending).toBe(0);
    expect(sink.lines).toHaveLength(1);
  });

  it("has no timer for a connection that takes everything and wants nothing", async () => {
    const { change, hub, clock } = setUp();
    hub.connect(new TestSink());
    change();
    await clock.advance(0);
    expect(clock.pending).toBe(0);
  });
});

describe("a connection with bytes waiting", () => {
  it("is sent to every 100 ms, and the changes fold", async () => {
    const { change, subscribe, clock } = setUp();
    const slow = await subscribe("terminals");
    const fast = await subscribe("terminals");
    slow.sink.stalled = true;
    const sentAt: number[] = [];
    slow.sink.onSend = () => sentAt.push(clock.monotonic());
    for (let ms = 0; ms < 500; ms += 1) {
      change();
      await clock.advance(1);
    }
    expect(sentAt).toEqual([0, 100, 200, 300, 400, 500]);
    expect(fast.sink.lines).toHaveLength(51);
    await clock.advance(1_000);
    expect(clock.pending).toBe(0);
    expect(slow.sink.taken().at(-1)?.seq).toBe(fast.sink.taken().at(-1)?.seq);
  });

  it("is sent to with the others again once it has taken them", async () => {
    const { change, subscribe, clock } = setUp();
    const { sink } = await subscribe("terminals");
    sink.stalled = true;
    change();
    await clock.advance(20);
    change();
    await clock.advance(20);
    expect(sink.lines).toHaveLength(1);
    sink.stalled = false;
    sink.drain();
    change();
    await settled();
    expect(sink.lines).toHaveLength(2);
  });
});

describe("a busy process", () => {
  const CONNECTIONS = 200;
  /** Changes something every millisecond and answers when the first connection was sent to. */
  const storm = async (ms: number) => {
    const world = setUp();
    const sinks = [];
    for (let n = 0; n < CONNECTIONS; n += 1) sinks.push((await world.subscribe("terminals")).sink);
    const sentAt: number[] = [];
    const [first] = sinks;
    if (first !== undefined) first.onSend = () => sentAt.push(world.clock.monotonic());
    for (let at = 0; at < ms; at += 1) {
      world.change();
      await world.clock.advance(1);
    }
    return { ...world, sentAt, sinks };
  };

  it("flushes every 100 ms from 10 000 frames a second on", async () => {
    const { sentAt } = await storm(2_000);
    // With their snapshots before, the 50th flush makes it too many; the second after is slow as well.
    const quick = BUSY_FRAMES_PER_SECOND / CONNECTIONS;
    const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
    expect(new Set(gaps.slice(0, quick - 1))).toEqual(new Set([FLUSH_PERIOD_MS]));
    expect(new Set(gaps.slice(quick - 1))).toEqual(new Set([BUSY_FLUSH_PERIOD_MS]));
  });

  it("does so too for those that only waited for a slow connection's turn", async () => {
    const { sinks, change, clock, hub } = await storm(600);
    // Its turns come between those of the others.
    await clock.advance(40);
    const slow = new TestSink();
    slow.stalled = true;
    (await hub.connect(slow).open("terminals"))();
    const sentAt: number[] = [];
    const [first] = sinks;
    if (first !== undefined) first.onSend = () => sentAt.push(clock.monotonic());
    for (let at = 0; at < 350; at += 1) {
      change();
      await clock.advance(1);
    }
    expect(slow.lines.length).toBeGreaterThan(2);
    const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(BUSY_FLUSH_PERIOD_MS);
  });

  it("is not busy any more after a quiet second, however much it sent before", async () => {
    const { sentAt, change, clock } = await storm(600);
    await clock.advance(10_000);
    sentAt.length = 0;
    const start = clock.monotonic();
    for (let at = 0; at < 30; at += 1) {
      change();
      await clock.advance(1);
    }
    expect(sentAt.map((at) => at - start)).toEqual([0, 10, 20, 30]);
  });

  it("counts snapshots among its frames", async () => {
    const { change, clock, hub, subscribe } = setUp();
    const { sink } = await subscribe("terminals");
    const other = hub.connect(new TestSink());
    for (let n = 0; n <= BUSY_FRAMES_PER_SECOND; n += 1) (await other.open("terminals"))();
    const sentAt: number[] = [];
    sink.onSend = () => sentAt.push(clock.monotonic());
    for (let at = 0; at < 150; at += 1) {
      change();
      await clock.advance(1);
    }
    expect(sentAt).toEqual([0, 100]);
  });
});
