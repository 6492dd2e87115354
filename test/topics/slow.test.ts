import { describe, expect, it } from "vitest";
import { EVICTION_BYTES, HOLD_BYTES, STALL_MS } from "../../src/topics/backlog.ts";
import { ElementFeed } from "../../src/topics/elements.ts";
import { Topics } from "../../src/topics/hub.ts";
import { FakeClock, settled } from "../lib/fake-clock.ts";
import { EPOCH, held, INSTANCE, publication, TestSink, terminal } from "./support.ts";

const LARGE = "x".repeat(300_000);

const setUp = () => {
  const clock = new FakeClock();
  const hub = new Topics({ clock });
  const feed = new ElementFeed("terminals", INSTANCE, EPOCH);
  hub.offer("terminals", [feed]);
  const rows = new Map<string, string>();
  const publish = () => {
    feed.publish(publication([...rows].map(([id, title]) => terminal(id, { title }))));
    hub.changed();
  };
  const set = (id: string, title: string) => {
    rows.set(id, title);
    publish();
  };
  const remove = (id: string) => {
    rows.delete(id);
    publish();
  };
  /** So many rows that a snapshot of them takes five parts, of three rows each but for the last. */
  const fill = () => {
    for (let n = 0; n < 13; n += 1) rows.set(String(n), LARGE);
    publish();
  };
  const connect = () => {
    const sink = new TestSink();
    const reader = hub.connect(sink);
    sink.onEvict = () => reader.end();
    return { sink, reader, subscribe: async () => (await reader.open("terminals"))() };
  };
  const model = () => [...rows].map(([id, title]) => terminal(id, { title }));
  return { clock, hub, feed, set, remove, fill, connect, model };
};

describe("parts of a snapshot", () => {
  it("wait until the connection has taken enough of those before, and newer changes fold meanwhile", async () => {
    const { clock, set, remove, fill, connect, model } = setUp();
    fill();
    const { sink, subscribe } = connect();
    sink.stalled = true;
    await subscribe();
    // One part and the one that passes the limit.
    expect(sink.lines).toHaveLength(2);
    expect(sink.buffered).toBeGreaterThanOrEqual(HOLD_BYTES);

    set("0", "one");
    await clock.advance(300);
    set("0", "two");
    set("new", "n");
    remove("1");
    await clock.advance(300);
    expect(sink.lines).toHaveLength(2);

    for (let sent = 2; sent < 5; ) {
      sink.drain(900_000);
      await clock.advance(100);
      expect(sink.lines.length).toBeLessThanOrEqual(sent + 1);
      sent = sink.lines.length;
    }
    sink.drain();
    await clock.advance(100);
    expect(sink.lines).toHaveLength(6);
    const after = held(sink.lines);
    expect(after.partial).toBe(false);
    expect(new Set(after.rows)).toEqual(new Set(model()));
    expect(clock.pending).toBe(0);
  });

  it("are made when the connection can take the first, not while it cannot", async () => {
    const { clock, set, fill, connect, model } = setUp();
    fill();
    const { sink, subscribe } = connect();
    sink.stalled = true;
    sink.buffered = HOLD_BYTES;
    await subscribe();
    expect(sink.lines).toEqual([]);
    set("0", "small");
    await clock.advance(500);
    sink.stalled = false;
    sink.drain();
    await clock.advance(100);
    expect(held(sink.lines).rows).toEqual(model());
    expect(sink.lines.map((line) => JSON.parse(Buffer.from(line).toString()).seq)).toEqual(
      sink.lines.map(() => 2),
    );
  });

  it("are begun anew for a connection that fell behind the horizon", async () => {
    const { clock, feed, set, fill, connect, model } = setUp();
    fill();
    const { sink, subscribe } = connect();
    sink.stalled = true;
    await subscribe();
    set("0", "small");
    await clock.advance(100);
    feed.forget(feed.position);
    sink.stalled = false;
    sink.drain();
    await clock.advance(100);
    const frames = sink.taken();
    expect(frames.map(({ snapshot }) => snapshot)).toEqual([
      true,
      ...Array(4).fill(undefined),
      true,
      ...Array(frames.length - 6).fill(undefined),
    ]);
    expect(frames.at(-1)?.seq).toBe(feed.position);
    expect(model()).toHaveLength(13);
  });
});

describe("what was removed", () => {
  it("is remembered for the reader that is furthest behind, and no longer", async () => {
    const { clock, feed, set, remove, connect } = setUp();
    for (const id of ["a", "b", "c"]) set(id, "");
    const slow = connect();
    await slow.subscribe();
    const well = connect();
    await well.subscribe();
    slow.sink.buffered = HOLD_BYTES;
    const from = feed.position;
    remove("a");
    await clock.advance(100);
    remove("b");
    await clock.advance(100);
    expect(feed.since(from)).toBeDefined();
    slow.sink.drain();
    await clock.advance(100);
    expect(slow.sink.taken().map(({ prev_seq, seq }) => [prev_seq, seq])).toEqual([
      [undefined, from],
      [from, from + 2],
    ]);
    expect(feed.since(from)).toBeUndefined();
  });

  it("is not remembered for one that has yet to be sent its snapshot", async () => {
    const { clock, feed, set, remove, connect } = setUp();
    for (const id of ["a", "b"]) set(id, "");
    const waiting = connect();
    waiting.sink.buffered = HOLD_BYTES;
    await waiting.subscribe();
    await connect().subscribe();
    const from = feed.position;
    remove("a");
    await clock.advance(100);
    expect(feed.since(from)).toBeUndefined();
  });
});

describe("a connection that takes nothing", () => {
  it("is given up once, after 10 s with too much waiting", async () => {
    const { clock, fill, connect } = setUp();
    fill();
    const { sink, subscribe } = connect();
    sink.stalled = true;
    await subscribe();
    await clock.advance(STALL_MS - 1);
    expect(sink.evictions).toBe(0);
    await clock.advance(1_001);
    expect(sink.evictions).toBe(1);
    await clock.advance(60_000);
    expect(sink.evictions).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it("is given up where its first frames fill it, with no change afterwards", async () => {
    const { clock, connect, set } = setUp();
    set("a", "");
    const { sink, subscribe } = connect();
    sink.stalled = true;
    sink.buffered = HOLD_BYTES - 1;
    await subscribe();
    expect(sink.lines).toHaveLength(1);
    await clock.advance(STALL_MS + 1_000);
    expect(sink.evictions).toBe(1);
  });

  it("holds no timer and costs no memory after it was given up, even before it is gone", async () => {
    const { clock, fill, connect, set, feed } = setUp();
    fill();
    const { sink, subscribe } = connect();
    sink.onEvict = () => {};
    sink.stalled = true;
    await subscribe();
    await clock.advance(STALL_MS + 1_000);
    expect(sink.evictions).toBe(1);
    expect(clock.pending).toBe(0);
    const { length } = sink.lines;
    const other = connect();
    await other.subscribe();
    const { position } = feed;
    set("0", "");
    await clock.advance(100);
    expect(sink.lines).toHaveLength(length);
    expect(feed.since(position)).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it("is given up at once over 4 MiB", async () => {
    const { clock, connect, set } = setUp();
    const { sink, subscribe } = connect();
    await subscribe();
    sink.buffered = EVICTION_BYTES + 1;
    set("a", "");
    await settled();
    expect(sink.evictions).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it("delays nobody else, and costs no more than what was sent to it", async () => {
    const { clock, set, fill, connect, model } = setUp();
    fill();
    const stuck = connect();
    stuck.sink.stalled = true;
    await stuck.subscribe();
    const well = connect();
    await well.subscribe();
    const snapshot = well.sink.lines.splice(0);
    const late: number[] = [];
    let changedAt = 0;
    well.sink.onSend = () => late.push(clock.monotonic() - changedAt);
    for (let n = 0; n < 100; n += 1) {
      changedAt = clock.monotonic();
      set("0", String(n));
      await clock.advance(20);
    }
    expect(late).toEqual(Array(100).fill(0));
    expect(stuck.sink.lines).toHaveLength(2);
    expect(stuck.sink.buffered).toBeLessThan(2 * HOLD_BYTES + 2);
    expect(new Set(held([...snapshot, ...well.sink.lines]).rows)).toEqual(new Set(model()));
  });
});

describe("a connection that takes little", () => {
  it("is not given up while it takes something every 10 s", async () => {
    const { clock, fill, connect } = setUp();
    fill();
    const { sink, subscribe } = connect();
    sink.stalled = true;
    await subscribe();
    for (let n = 0; n < 20; n += 1) {
      await clock.advance(STALL_MS - 1_500);
      sink.drain(1_000);
    }
    expect(sink.evictions).toBe(0);
  });

  it("is not given up while each flush fills it again", async () => {
    const { clock, set, connect } = setUp();
    const { sink, subscribe } = connect();
    await subscribe();
    sink.stalled = true;
    sink.buffered = 900_000;
    let sent = 0;
    sink.onSend = (line) => {
      sent = line.length;
    };
    for (let n = 0; n < 24; n += 1) {
      set("a", LARGE.repeat(3) + n);
      await clock.advance(50);
      sink.drain(sent);
      await clock.advance(450);
      expect(sink.buffered).toBeGreaterThanOrEqual(HOLD_BYTES);
    }
    expect(sink.evictions).toBe(0);
    expect(sink.lines).toHaveLength(25);
  });

  it("is not given up while it subscribes again as often as it takes something", async () => {
    const { clock, fill, connect } = setUp();
    fill();
    const { sink, subscribe } = connect();
    sink.stalled = true;
    await subscribe();
    for (let n = 0; n < 120; n += 1) {
      await clock.advance(100);
      sink.drain(950_000);
      await subscribe();
    }
    expect(sink.evictions).toBe(0);
  });

  it("is not given up over 4 MiB when it took some of it", async () => {
    const { clock, connect, set } = setUp();
    const { sink, subscribe } = connect();
    await subscribe();
    sink.buffered = EVICTION_BYTES - 1;
    set("a", "");
    await clock.advance(10);
    sink.drain(1);
    await clock.advance(1_000);
    sink.buffered = 2 * EVICTION_BYTES;
    await clock.advance(1_000);
    expect(sink.evictions).toBe(0);
  });

  it("is not given up because it was quiet before a large frame", async () => {
    const { clock, fill, connect } = setUp();
    const { sink, subscribe } = connect();
    await subscribe();
    await clock.advance(60_000);
    sink.stalled = true;
    fill();
    await settled();
    expect(sink.buffered).toBeGreaterThanOrEqual(HOLD_BYTES);
    await clock.advance(STALL_MS - 1_000);
    expect(sink.evictions).toBe(0);
  });
});
