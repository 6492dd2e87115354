import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TerminalsFrame } from "../../src/contract/terminals.ts";
import { isValid } from "../../src/contract/validation.ts";
import { NOWHERE } from "../../src/topics/feed.ts";
import {
  EPOCH,
  folded,
  held,
  INSTANCE,
  publication,
  source,
  terminal,
  terminalsFeed,
  terminalsFrames,
} from "./support.ts";

describe("rows of an element topic", () => {
  it("are stated whole in a snapshot, with the position and the epoch", () => {
    const feed = terminalsFeed(terminal("a"), terminal("b"));
    const [frame, ...others] = terminalsFrames(feed.snapshot());
    expect(others).toEqual([]);
    expect(frame).toEqual({
      ev: "topic",
      topic: "terminals",
      snapshot: true,
      instance: INSTANCE,
      epoch: EPOCH,
      seq: 1,
      data: { terminals: [terminal("a"), terminal("b")] },
    });
  });

  it("are an empty snapshot before the first publication", () => {
    const [frame] = terminalsFrames(terminalsFeed().snapshot());
    expect(frame?.seq).toBe(0);
    expect(frame?.data).toEqual({ terminals: [] });
  });

  it("travel in a change only where they differ", () => {
    const feed = terminalsFeed(terminal("a"), terminal("b"), terminal("c"));
    const from = feed.position;
    const changed = terminal("b", { state: "dead" });
    expect(feed.publish(publication([terminal("a"), changed, terminal("c")]))).toBe(true);
    expect(terminalsFrames(feed.since(from))).toEqual([
      {
        ev: "topic",
        topic: "terminals",
        instance: INSTANCE,
        epoch: EPOCH,
        seq: from + 1,
        prev_seq: from,
        data: { terminals: [changed] },
      },
    ]);
  });

  it("that say the same make no traffic, whatever the order of their fields", () => {
    const feed = terminalsFeed(terminal("a", { cwd: "/", title: "t" }));
    const from = feed.position;
    const { title, ...rest } = terminal("a", { cwd: "/", title: "t" });
    expect(
      feed.publish(publication([{ ...(title === undefined ? {} : { title }), ...rest }])),
    ).toBe(false);
    expect(feed.position).toBe(from);
  });

  it("of one key that are stated twice count once, the first of them", () => {
    const twice = [terminal("a", { title: "one" }), terminal("a", { title: "two" })];
    const feed = terminalsFeed(...twice);
    expect(held(feed.snapshot()).rows).toEqual([terminal("a", { title: "one" })]);
    expect(feed.publish(publication(twice))).toBe(false);
  });

  it("fold over several publications into one change", () => {
    const feed = terminalsFeed(terminal("a"));
    const from = feed.position;
    for (const title of ["1", "2", "3"]) feed.publish(publication([terminal("a", { title })]));
    const [frame, ...others] = terminalsFrames(feed.since(from));
    expect(others).toEqual([]);
    expect(frame).toMatchObject({ prev_seq: from, seq: from + 3 });
    expect(frame?.data.terminals).toEqual([terminal("a", { title: "3" })]);
  });

  it("that are gone are marked, with when and why", () => {
    const feed = terminalsFeed(terminal("a"), terminal("b"));
    const from = feed.position;
    feed.publish(publication([terminal("a")], { removedAt: 7_000, reasonOf: () => "source_gone" }));
    const [frame] = terminalsFrames(feed.since(from));
    expect(frame?.data.terminals).toEqual([
      {
        instance: INSTANCE,
        id: "pty:b",
        removed: true,
        removed_at: 7_000,
        reason: "source_gone",
      },
    ]);
    expect(isValid(TerminalsFrame, frame)).toBe(true);
  });

  it("that are gone are not told to a reader that begins afterwards", () => {
    const feed = terminalsFeed(terminal("a"), terminal("b"));
    feed.publish(publication([terminal("a")]));
    const [frame] = terminalsFrames(feed.snapshot());
    expect(frame?.data.terminals).toEqual([terminal("a")]);
  });
});

describe("readings", () => {
  it("are taken in whatever their order, and of several rows with one key the first", () => {
    const reading = fc.array(fc.record({ id: fc.constantFrom(..."abcdef"), title: fc.nat(3) }));
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 8 }), (readings) => {
        const feed = terminalsFeed();
        let model = new Map<string, number>();
        for (const stated of readings) {
          const next = new Map(stated.toReversed().map(({ id, title }) => [id, title]));
          const rows = stated.map(({ id, title }) => terminal(id, { title: String(title) }));
          expect(feed.publish(publication(rows))).toBe(!isDeepStrictEqual(next, model));
          const titles = held(feed.snapshot()).rows.map(({ id, title }) => [id, title]);
          const expected = [...next].map(([id, title]) => [`pty:${id}`, String(title)]);
          expect(titles.toSorted()).toEqual(expected.toSorted());
          model = next;
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("a handle that was freed and names a new thing", () => {
  const feedThatReuses = () => {
    const feed = terminalsFeed(terminal("a", { pid: 1 }));
    feed.publish(publication([], { removedAt: 6_000 }));
    feed.publish(publication([terminal("a", { pid: 2 })]));
    return feed;
  };

  it("is removed in one frame and stated in a later one, for a reader that missed both", () => {
    const feed = feedThatReuses();
    const [ending, statement, ...others] = terminalsFrames(feed.since(1));
    expect(others).toEqual([]);
    expect(ending).toMatchObject({ prev_seq: 1, seq: 1, more: true });
    expect(ending?.data.terminals).toEqual([
      { instance: INSTANCE, id: "pty:a", removed: true, removed_at: 6_000, reason: "closed" },
    ]);
    expect(statement).toMatchObject({ prev_seq: 1, seq: 3 });
    expect(statement).not.toHaveProperty("more");
    expect(statement?.data.terminals).toEqual([terminal("a", { pid: 2 })]);
  });

  it("is only stated to a reader that knows of the removal", () => {
    const frames = terminalsFrames(feedThatReuses().since(2));
    expect(frames.map(({ data }) => data.terminals)).toEqual([[terminal("a", { pid: 2 })]]);
  });

  it("is still removed first when the new thing changed meanwhile", () => {
    const feed = feedThatReuses();
    feed.publish(publication([terminal("a", { pid: 2, title: "new" })]));
    expect(terminalsFrames(feed.since(1)).map(({ data }) => data.terminals)).toEqual([
      [expect.objectContaining({ id: "pty:a", removed: true })],
      [terminal("a", { pid: 2, title: "new" })],
    ]);
  });

  it("folds to what is there now", () => {
    const feed = terminalsFeed(terminal("a", { pid: 1 }), terminal("b"));
    const before = folded("terminals", feed.snapshot());
    feed.publish(publication([terminal("b")]));
    feed.publish(publication([terminal("a", { pid: 2 }), terminal("b", { bell: true })]));
    expect(held(feed.since(1) ?? [], before)).toMatchObject({ seq: 3, partial: false });
    expect(held(feed.since(1) ?? [], before).rows).toEqual([
      terminal("b", { bell: true }),
      terminal("a", { pid: 2 }),
    ]);
  });
});

describe("sources", () => {
  it("move the position when one of them stands otherwise, and are stated whole", () => {
    const feed = terminalsFeed(terminal("a"));
    const sources = [source("ok"), source("failing", { name: "x" })];
    expect(feed.publish(publication([terminal("a")], { sources }))).toBe(true);
    const [frame] = terminalsFrames(feed.since(1));
    expect(frame).toMatchObject({ prev_seq: 1, seq: 2, data: { terminals: [], sources } });
  });

  it("are absent from a change that leaves them as they are", () => {
    const feed = terminalsFeed();
    const sources = [source("ok")];
    feed.publish(publication([terminal("a")], { sources }));
    feed.publish(publication([terminal("b")], { sources }));
    const [frame] = terminalsFrames(feed.since(1));
    expect(frame?.data).not.toHaveProperty("sources");
    expect(terminalsFrames(feed.since(0))[0]?.data.sources).toEqual(sources);
  });

  it("are no news when only the times of their readings move", () => {
    const feed = terminalsFeed();
    const at = (polled_at: number) =>
      publication([terminal("a")], { polledAt: polled_at, sources: [source("ok", { polled_at })] });
    feed.publish(at(1));
    expect(feed.publish(at(2))).toBe(false);
    expect(feed.since(feed.position)).toEqual([]);
  });

  it("stay as they were when a publication states none", () => {
    const feed = terminalsFeed();
    feed.publish(publication([], { sources: [source("ok")], polledAt: 3 }));
    feed.publish(publication([terminal("a")]));
    expect(held(feed.snapshot())).toMatchObject({ sources: [source("ok")], polledAt: 3 });
  });

  it("are stated with the newest times in a snapshot, even when nothing moved", () => {
    const feed = terminalsFeed();
    const at = (polled_at: number) =>
      publication([terminal("a")], { polledAt: polled_at, sources: [source("ok", { polled_at })] });
    feed.publish(at(1));
    feed.snapshot();
    feed.publish(at(2));
    expect(held(feed.snapshot())).toMatchObject({
      polledAt: 2,
      sources: [source("ok", { polled_at: 2 })],
    });
  });
});

describe("a bookmark", () => {
  it("is an empty change that stays where it is and states the sources", () => {
    const feed = terminalsFeed(terminal("a"));
    const sources = [source("ok", { polled_at: 9 })];
    feed.publish(publication([terminal("a")], { sources: [source("ok")] }));
    const { position } = feed;
    feed.bookmarkAt({ polledAt: 9, sources });
    expect(feed.position).toBe(position);
    const line = feed.bookmark();
    expect(terminalsFrames(line === undefined ? [] : [line])).toEqual([
      {
        ev: "topic",
        topic: "terminals",
        instance: INSTANCE,
        epoch: EPOCH,
        seq: position,
        prev_seq: position,
        data: { terminals: [], polled_at: 9, sources },
      },
    ]);
  });

  it("keeps the time of the last good reading when the newest one failed", () => {
    const feed = terminalsFeed(terminal("a"));
    feed.bookmarkAt({ polledAt: 9, sources: [source("ok")] });
    feed.bookmarkAt({ sources: [source("failing")] });
    const line = feed.bookmark();
    const [frame] = terminalsFrames(line === undefined ? [] : [line]);
    expect(frame?.data).toMatchObject({ polled_at: 9, sources: [source("failing")] });
  });

  it("moves the position where a source stands otherwise, so that the change goes first", () => {
    const feed = terminalsFeed(terminal("a"));
    feed.bookmarkAt({ sources: [source("failing")] });
    expect(feed.position).toBe(2);
    const lines = [...(feed.since(1) ?? [])];
    const bookmark = feed.bookmark();
    if (bookmark !== undefined) lines.push(bookmark);
    const before = folded("terminals", terminalsFeed(terminal("a")).snapshot());
    expect(held(lines, before)).toMatchObject({ seq: 2, sources: [source("failing")] });
  });
});

describe("readers at one position", () => {
  it("get the same bytes, newline included", () => {
    const feed = terminalsFeed(terminal("a"));
    feed.publish(publication([terminal("a", { title: "é" })]));
    feed.bookmarkAt({ polledAt: 1 });
    for (const again of [
      () => feed.snapshot()[0],
      () => feed.since(1)?.[0],
      () => feed.bookmark(),
    ]) {
      expect(again()).toBe(again());
      expect(again()?.at(-1)).toBe(0x0a);
      expect(again()?.indexOf(0x0a)).toBe((again()?.length ?? 0) - 1);
    }
  });

  it("get the same bytes of a change even when a reading or a bookmark lies between them", () => {
    const feed = terminalsFeed(terminal("a"));
    feed.publish(publication([terminal("b")], { polledAt: 1 }));
    const first = feed.since(1)?.[0];
    feed.publish(publication([terminal("b")], { polledAt: 2 }));
    feed.bookmarkAt({ polledAt: 3 });
    expect(feed.since(1)?.[0]).toBe(first);
  });
});

describe("the horizon", () => {
  it("is in front of a reader that holds nothing", () => {
    expect(terminalsFeed().since(NOWHERE)).toBeUndefined();
    expect(terminalsFeed(terminal("a")).since(NOWHERE)).toBeUndefined();
  });

  it("passes readers that stand before what was forgotten, and no other", () => {
    const feed = terminalsFeed(terminal("a"));
    feed.publish(publication([]));
    feed.publish(publication([terminal("b")]));
    feed.forget(2);
    expect(feed.since(1)).toBeUndefined();
    expect(terminalsFrames(feed.since(2))[0]?.data.terminals).toEqual([terminal("b")]);
  });

  it("passes every reader when the rows are forgotten, and positions go on", () => {
    const feed = terminalsFeed(terminal("a"));
    feed.publish(publication([terminal("a")], { sources: [source("ok")], polledAt: 1 }));
    feed.reset();
    expect(feed.position).toBe(3);
    expect(feed.since(2)).toBeUndefined();
    const [frame] = terminalsFrames(feed.snapshot());
    expect(frame).toMatchObject({ seq: 3, data: { terminals: [] } });
    expect(frame?.data).not.toHaveProperty("sources");
    expect(frame?.data).not.toHaveProperty("polled_at");
  });
});

describe("removals", () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => terminal(String(from + index)));

  it("are all told to a reader that is one publication behind, however many they are", () => {
    const feed = terminalsFeed(...many(0, 5_000));
    feed.publish(publication([], { reasonOf: () => "instance_stopped" }));
    const [frame] = terminalsFrames(feed.since(1));
    expect(frame?.data.terminals).toHaveLength(5_000);
    expect(frame?.data.terminals[0]).toMatchObject({ removed: true, reason: "instance_stopped" });
  });

  it("are remembered within the number of rows, however long a reader is behind", () => {
    const feed = terminalsFeed(...many(0, 10));
    for (let round = 1; round < 1_000; round += 1) {
      feed.publish(publication(many(round * 10, round * 10 + 10)));
    }
    expect(feed.since(1)).toBeUndefined();
    const { position } = feed;
    const reachable = Array.from({ length: position }, (_, at) => feed.since(at)).filter(
      (frames) => frames !== undefined,
    );
    // 1 024 removals at 10 a publication, and those of the last one.
    expect(reachable.length).toBeGreaterThan(0);
    expect(reachable.length).toBeLessThan(110);
    expect(held(feed.snapshot()).rows).toEqual(many(9_990, 10_000));
  });
});
