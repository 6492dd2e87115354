import { describe, expect, it } from "vitest";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { RelayedFeed, type RelayedValue } from "../../src/topics/relayed.ts";
import { EPOCH, folded, INSTANCE, source, terminal, terminalsFrames } from "./support.ts";

const OTHER_EPOCH = "fedcba9876543210";

const feedOf = (epoch = EPOCH) => new RelayedFeed("terminals", INSTANCE, epoch, ({ id }) => id);

const value = (
  seq: number,
  rows: TerminalInfo[],
  more: Partial<RelayedValue<TerminalInfo>> = {},
): RelayedValue<TerminalInfo> => ({
  ...{ epoch: EPOCH, seq, bookmarks: 0, polledAt: 1_000, sources: [source("ok")] },
  ...{ rows, removed: [], ...more },
});

/** The frames of a reader that stands at a position, which is told to be one that folds. */
const since = (feed: ReturnType<typeof feedOf>, position: number) =>
  terminalsFrames(feed.since(position));

describe("rows that another instance produces", () => {
  it("go out under the position and epoch that it gave them", () => {
    const feed = feedOf();
    feed.take(value(17, [terminal("a")]), 5_000);
    const [frame] = terminalsFrames(feed.snapshot());
    expect(frame).toMatchObject({ epoch: EPOCH, seq: 17, snapshot: true });
    const from = feed.position;
    feed.take(value(23, [terminal("a"), terminal("b")]), 5_000);
    expect(since(feed, from)).toMatchObject([
      { prev_seq: 17, seq: 23, data: { terminals: [terminal("b")], polled_at: 1_000 } },
    ]);
  });

  it("move with it where nothing that is stated changed", () => {
    const feed = feedOf();
    feed.take(value(17, [terminal("a")]), 5_000);
    const from = feed.position;
    expect(feed.take(value(19, [terminal("a")]), 5_000)).toBe(true);
    expect(since(feed, from)).toMatchObject([{ prev_seq: 17, seq: 19, data: { terminals: [] } }]);
    expect(feed.take(value(19, [terminal("a")]), 5_000)).toBe(false);
  });

  it("are not taken back to an older position", () => {
    const feed = feedOf();
    feed.take(value(17, [terminal("a")]), 5_000);
    expect(feed.take(value(16, [], {}), 5_000)).toBe(false);
    expect(folded("terminals", feed.snapshot()).get(INSTANCE)?.rows.size).toBe(1);
  });

  it("carry the reason and the time of a removal, closed where none is told", () => {
    const feed = feedOf();
    feed.take(value(1, [terminal("a"), terminal("b")]), 5_000);
    const from = feed.position;
    const removed = [{ key: "pty:a", at: 77, reason: "source_gone" as const, seq: 2 }];
    feed.take(value(2, [], { removed }), 5_000);
    expect(since(feed, from)[0]?.data.terminals).toEqual([
      { instance: INSTANCE, id: "pty:a", removed: true, removed_at: 77, reason: "source_gone" },
      { instance: INSTANCE, id: "pty:b", removed: true, removed_at: 5_000, reason: "closed" },
    ]);
  });

  it("are stated whole in one frame after a new start", () => {
    const feed = feedOf();
    feed.take(value(40, [terminal("a")]), 5_000);
    const from = feed.position;
    feed.await(6_000);
    feed.take(value(3, [terminal("b")], { epoch: OTHER_EPOCH }), 7_000);
    expect(feed.since(from)).toBeUndefined();
    expect(terminalsFrames(feed.snapshot())).toMatchObject([
      { snapshot: true, epoch: OTHER_EPOCH, seq: 3, data: { terminals: [terminal("b")] } },
    ]);
  });

  it("stay while nothing is heard, and say so without moving its position", () => {
    const feed = feedOf();
    feed.take(value(4, [terminal("a")]), 5_000);
    const from = feed.position;
    expect(feed.silence("instance_silent", 9_000)).toBe(true);
    expect(feed.silence("instance_silent", 9_500)).toBe(false);
    const [frame] = since(feed, from);
    expect(frame).toMatchObject({ prev_seq: 4, seq: 4, data: { terminals: [] } });
    expect(frame?.data.sources).toMatchObject([
      { status: "failing", since_at: 9_000, error: { code: "instance_silent" } },
    ]);
    const silent = feed.position;
    expect(feed.heard()).toBe(true);
    expect(since(feed, silent)[0]?.data.sources).toEqual([source("ok")]);
  });

  it("go where it is lost, without moving its position, and come back whole", () => {
    const feed = feedOf();
    feed.take(value(4, [terminal("a")]), 5_000);
    const from = feed.position;
    expect(feed.lose("instance_lost", 9_000)).toBe(true);
    expect(feed.lose("instance_lost", 9_000)).toBe(false);
    const [frame] = since(feed, from);
    expect(frame).toMatchObject({
      prev_seq: 4,
      seq: 4,
      data: { terminals: [{ removed: true, removed_at: 9_000, reason: "instance_lost" }] },
    });
    const lost = feed.position;
    feed.take(value(4, [terminal("a")]), 10_000);
    expect(feed.since(lost)).toBeUndefined();
    expect(terminalsFrames(feed.snapshot())).toMatchObject([{ snapshot: true, seq: 4 }]);
  });

  it("leave no source that would be well where their publisher stopped", () => {
    const feed = feedOf();
    feed.take(value(4, [terminal("a")]), 5_000);
    feed.take(value(5, [], { stopped: true }), 6_000);
    feed.lose("instance_stopped", 6_000);
    const [frame] = terminalsFrames(feed.snapshot());
    expect(frame?.data).toMatchObject({
      terminals: [],
      sources: [{ scheme: "tmux", status: "absent", since_at: 6_000 }],
    });
    feed.take(value(1, [terminal("a")], { epoch: OTHER_EPOCH }), 7_000);
    expect(terminalsFrames(feed.snapshot())[0]?.data.sources).toEqual([source("ok")]);
  });

  it("are a valid chain before the first reading", () => {
    const feed = feedOf();
    feed.await(1_000);
    const from = feed.position;
    const before = folded("terminals", feed.snapshot());
    feed.await(1_500);
    feed.take(value(9, [terminal("a")]), 2_000);
    const state = folded("terminals", feed.since(from) ?? [], before);
    expect(state.get(INSTANCE)).toMatchObject({ seq: 9 });
    expect(state.get(INSTANCE)?.rows.size).toBe(1);
  });
});
