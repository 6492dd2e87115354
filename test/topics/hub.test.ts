import { beforeEach, describe, expect, it } from "vitest";
import { ElementFeed } from "../../src/topics/elements.ts";
import { type Resource, Topics } from "../../src/topics/hub.ts";
import { FakeClock, settled } from "../lib/fake-clock.ts";
import { EPOCH, held, INSTANCE, publication, TestSink, terminal } from "./support.ts";

/** A resource whose readings end when the test says so. */
class TestResource implements Resource {
  wants = 0;
  readonly acquired: number[] = [];
  readonly #readings: { resolve(): void; reject(error: Error): void }[] = [];
  acquire(): void {
    this.wants += 1;
    this.acquired.push(this.wants);
  }
  release(): void {
    if (this.wants === 0) throw new Error("Expected a want to release, got none");
    this.wants -= 1;
  }
  fresh(): Promise<void> {
    return new Promise((resolve, reject) => this.#readings.push({ resolve, reject }));
  }
  answer(error?: Error): void {
    for (const reading of this.#readings.splice(0)) {
      if (error === undefined) reading.resolve();
      else reading.reject(error);
    }
  }
}

describe("a subscription", () => {
  let clock: FakeClock;
  let hub: Topics;
  let feed: ElementFeed<"terminals">;
  let resource: TestResource;
  let sink: TestSink;

  beforeEach(() => {
    clock = new FakeClock();
    hub = new Topics({ clock });
    feed = new ElementFeed("terminals", INSTANCE, EPOCH);
    resource = new TestResource();
    hub.offer("terminals", [feed], resource);
    sink = new TestSink();
  });

  const publish = (title: string) => {
    feed.publish(publication([terminal("a", { title })]));
    hub.changed();
  };
  const titles = (lines: readonly Uint8Array[]) => held(lines).rows.map(({ title }) => title);

  it("waits for a reading, and begins with what it brought", async () => {
    const opening = hub.connect(sink).open("terminals");
    publish("read");
    await settled();
    expect(sink.lines).toEqual([]);
    resource.answer();
    const begin = await opening;
    expect(sink.lines).toEqual([]);
    begin();
    expect(titles(sink.lines)).toEqual(["read"]);
    await clock.advance(100);
    expect(sink.lines).toHaveLength(1);
  });

  it("gets no change before its snapshot", async () => {
    const opening = hub.connect(sink).open("terminals");
    resource.answer();
    const begin = await opening;
    publish("before");
    await clock.advance(100);
    expect(sink.lines).toEqual([]);
    publish("and this, not yet flushed");
    begin();
    await clock.advance(100);
    publish("after");
    await clock.advance(100);
    expect(sink.taken()).toMatchObject([
      { snapshot: true, seq: 2 },
      { prev_seq: 2, seq: 3 },
    ]);
  });

  it("wants the resource from its opening to its end", async () => {
    const reader = hub.connect(sink);
    expect(resource.wants).toBe(0);
    const opening = reader.open("terminals");
    expect(resource.wants).toBe(1);
    resource.answer();
    (await opening)();
    expect(resource.wants).toBe(1);
    reader.close("terminals");
    expect(resource.wants).toBe(0);
    reader.close("terminals");
    reader.end();
    expect(resource.wants).toBe(0);
  });

  it("never leaves the resource unwanted between its opening and its beginning", async () => {
    const opening = hub.connect(sink).open("terminals");
    resource.answer();
    const begin = await opening;
    const release = resource.release.bind(resource);
    resource.release = () => {
      release();
      expect(resource.wants).toBeGreaterThan(0);
    };
    begin();
    expect(resource.wants).toBe(1);
  });

  it("shares the resource with others until the last one ends", async () => {
    const readers = [hub.connect(sink), hub.connect(new TestSink()), hub.connect(new TestSink())];
    const openings = readers.map((reader) => reader.open("terminals"));
    resource.answer();
    for (const begin of await Promise.all(openings)) begin();
    expect(resource.wants).toBe(3);
    for (const [index, reader] of readers.entries()) {
      reader.end();
      expect(resource.wants).toBe(2 - index);
    }
  });

  it("that is closed while it waits does not begin", async () => {
    const reader = hub.connect(sink);
    const opening = reader.open("terminals");
    reader.close("terminals");
    expect(resource.wants).toBe(0);
    resource.answer();
    (await opening)();
    publish("x");
    await clock.advance(100);
    expect(sink.lines).toEqual([]);
    expect(resource.wants).toBe(0);
  });

  it("whose connection ends while it waits does not begin", async () => {
    const reader = hub.connect(sink);
    const opening = reader.open("terminals");
    reader.end();
    reader.end();
    expect(resource.wants).toBe(0);
    resource.answer();
    (await opening)();
    publish("x");
    await clock.advance(100);
    expect(sink.lines).toEqual([]);
    expect(resource.wants).toBe(0);
    (await reader.open("terminals"))();
    expect(sink.lines).toEqual([]);
    expect(resource.wants).toBe(0);
  });

  it("that is closed and opened again while it waits begins once, for the second", async () => {
    const reader = hub.connect(sink);
    const first = reader.open("terminals");
    reader.close("terminals");
    const second = reader.open("terminals");
    resource.answer();
    (await first)();
    expect(sink.lines).toEqual([]);
    (await second)();
    expect(sink.lines).toHaveLength(1);
    expect(resource.wants).toBe(1);
  });

  it("that is begun twice begins once", async () => {
    const reader = hub.connect(sink);
    const opening = reader.open("terminals");
    resource.answer();
    const begin = await opening;
    begin();
    begin();
    expect(sink.lines).toHaveLength(1);
    expect(resource.wants).toBe(1);
    reader.close("terminals");
    begin();
    expect(sink.lines).toHaveLength(1);
    expect(resource.wants).toBe(0);
  });

  it("that is never begun wants the resource until it is closed", async () => {
    const reader = hub.connect(sink);
    const opening = reader.open("terminals");
    resource.answer();
    await opening;
    expect(resource.wants).toBe(1);
    reader.close("terminals");
    expect(resource.wants).toBe(0);
  });

  it("that cannot be had rejects, and wants nothing", async () => {
    const reader = hub.connect(sink);
    const opening = reader.open("terminals");
    resource.answer(new Error("unreadable"));
    await expect(opening).rejects.toThrow("unreadable");
    expect(resource.wants).toBe(0);
    reader.end();
    expect(resource.wants).toBe(0);
  });

  it("that cannot be had leaves the one before as it is", async () => {
    const reader = hub.connect(sink);
    const first = reader.open("terminals");
    resource.answer();
    (await first)();
    const again = reader.open("terminals");
    resource.answer(new Error("unreadable"));
    await expect(again).rejects.toThrow("unreadable");
    publish("x");
    await clock.advance(100);
    expect(titles(sink.lines)).toEqual(["x"]);
    expect(resource.wants).toBe(1);
  });

  it("whose resource cannot be started rejects, and leaves nothing behind", async () => {
    resource.acquire = () => {
      throw new Error("cannot start");
    };
    const reader = hub.connect(sink);
    await expect(reader.open("terminals")).rejects.toThrow("cannot start");
    reader.end();
  });

  it("to a topic that is not on offer rejects", async () => {
    expect(hub.offers("agents")).toBe(false);
    expect(hub.offers("terminals")).toBe(true);
    await expect(hub.connect(sink).open("agents")).rejects.toThrow("agents");
    expect(() => hub.offer("nonsense", [])).toThrow("nonsense");
  });

  it("that is made again is stated anew, with one want", async () => {
    const reader = hub.connect(sink);
    for (const title of ["one", "two"]) {
      const opening = reader.open("terminals");
      publish(title);
      await clock.advance(100);
      sink.lines.length = 0;
      resource.answer();
      (await opening)();
      expect(titles(sink.lines)).toEqual([title]);
    }
    await clock.advance(100);
    expect(sink.taken().map(({ snapshot }) => snapshot)).toEqual([true]);
    expect(resource.wants).toBe(1);
    reader.close("terminals");
    expect(resource.wants).toBe(0);
  });

  it("that is made twice at once is stated twice, with one want", async () => {
    const reader = hub.connect(sink);
    const openings = [reader.open("terminals"), reader.open("terminals")];
    resource.answer();
    for (const begin of await Promise.all(openings)) begin();
    expect(sink.taken().map(({ snapshot }) => snapshot)).toEqual([true, true]);
    expect(resource.wants).toBe(1);
    reader.end();
    expect(resource.wants).toBe(0);
  });

  it("that has ended gets nothing more, and the others do", async () => {
    const other = new TestSink();
    const readers = [hub.connect(sink), hub.connect(other)];
    for (const reader of readers) {
      const opening = reader.open("terminals");
      resource.answer();
      (await opening)();
    }
    publish("x");
    readers[0]?.close("terminals");
    await clock.advance(100);
    expect(sink.lines).toHaveLength(1);
    expect(other.lines).toHaveLength(2);
  });

  it("whose connection ends in the middle of a flush harms no other", async () => {
    const other = new TestSink();
    const readers = [hub.connect(sink), hub.connect(other)];
    for (const reader of readers) {
      const opening = reader.open("terminals");
      resource.answer();
      (await opening)();
    }
    sink.onSend = () => {
      for (const reader of readers.slice(0, 1)) reader.end();
    };
    publish("x");
    await clock.advance(100);
    expect(other.lines).toHaveLength(2);
    expect(resource.wants).toBe(1);
  });
});

describe("a topic of several instances", () => {
  it("begins with one snapshot of each", async () => {
    const hub = new Topics({ clock: new FakeClock() });
    const others = ["a".repeat(32), "b".repeat(32)];
    hub.offer(
      "terminals",
      others.map((instance) => new ElementFeed("terminals", instance, EPOCH)),
    );
    const sink = new TestSink();
    (await hub.connect(sink).open("terminals"))();
    expect(sink.taken().map(({ snapshot, instance }) => [snapshot, instance])).toEqual(
      others.map((instance) => [true, instance]),
    );
  });

  it("of which many come and go at once looks at those that are there once for all of them", async () => {
    const clock = new FakeClock();
    const hub = new Topics({ clock });
    const first = new ElementFeed("terminals", INSTANCE, EPOCH);
    let looks = 0;
    const counted = new Proxy(first, {
      get(feed, name) {
        if (name === "position") looks += 1;
        const value: unknown = Reflect.get(feed, name, feed);
        return typeof value === "function" ? value.bind(feed) : value;
      },
    });
    hub.offer("terminals", [counted]);
    const sink = new TestSink();
    (await hub.connect(sink).open("terminals"))();
    sink.taken();
    const others = Array.from({ length: 100 }, (_, index) => {
      return new ElementFeed("terminals", index.toString(16).padStart(32, "0"), EPOCH);
    });
    looks = 0;
    for (const feed of others) hub.add("terminals", feed);
    for (const feed of others.slice(50)) hub.withdraw("terminals", feed);
    await settled();
    await clock.advance(100);
    expect(sink.taken().map(({ instance }) => instance)).toEqual(
      others.slice(0, 50).map(({ instance }) => instance),
    );
    expect(looks).toBeLessThan(10);
  });
});
