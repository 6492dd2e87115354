import { describe, expect, it } from "vitest";
import { NOWHERE } from "../../src/topics/feed.ts";
import { WholeFeed } from "../../src/topics/whole.ts";
import { folded, frameOf, INSTANCE } from "./support.ts";

const host = (name: string) => ({ id: INSTANCE, host: name, reachable: true });

describe("a topic whose frames state everything", () => {
  it("keeps no chain", () => {
    const feed = new WholeFeed("instances", INSTANCE, [host("a")]);
    expect(feed.snapshot().map(frameOf)).toEqual([
      {
        ev: "topic",
        topic: "instances",
        snapshot: true,
        instance: INSTANCE,
        data: { instances: [host("a")] },
      },
    ]);
  });

  it("states all again in a change", () => {
    const feed = new WholeFeed("instances", INSTANCE, [host("a")]);
    const before = folded("instances", feed.snapshot());
    expect(feed.publish([host("b"), host("c")])).toBe(true);
    const after = folded("instances", feed.since(0) ?? [], before);
    expect([...(after.get(INSTANCE)?.rows.values() ?? [])]).toEqual([host("b"), host("c")]);
    feed.publish([host("d")]);
    const last = folded("instances", feed.since(1) ?? [], after);
    expect([...(last.get(INSTANCE)?.rows.values() ?? [])]).toEqual([host("d")]);
  });

  it("makes no traffic where it states the same", () => {
    const feed = new WholeFeed("instances", INSTANCE, [host("a")]);
    expect(feed.publish([host("a")])).toBe(false);
    expect(feed.position).toBe(0);
  });

  it("gives all readers the same bytes", () => {
    const feed = new WholeFeed("instances", INSTANCE);
    feed.publish([host("a")]);
    feed.publish([host("b")]);
    expect(feed.snapshot()[0]).toBe(feed.snapshot()[0]);
    expect(feed.since(0)?.[0]).toBe(feed.since(1)?.[0]);
    expect(feed.since(2)).toEqual([]);
    expect(feed.since(NOWHERE)).toBeUndefined();
  });

  it("is an empty list where the topic has no rows, whether its data is an object or the list", () => {
    const dataOf = (lines: readonly Uint8Array[]) => lines.map((line) => frameOf(line).data);
    expect(dataOf(new WholeFeed("inbox", INSTANCE).snapshot())).toEqual([[]]);
    expect(dataOf(new WholeFeed("peers", INSTANCE).snapshot())).toEqual([{ peers: [] }]);
  });
});
