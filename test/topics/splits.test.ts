import { describe, expect, it } from "vitest";
import { MAX_FRAME_BYTES } from "../../src/contract/envelope.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import {
  folded,
  held,
  publication,
  source,
  terminal,
  terminalsFeed,
  terminalsFrames,
} from "./support.ts";

const LARGE = "x".repeat(300_000);
const large = (id: string, more: Partial<TerminalInfo> = {}) =>
  terminal(id, { title: LARGE, ...more });

/** Without its newline, as the limit counts. */
const lengths = (lines: readonly Uint8Array[] | undefined) =>
  (lines ?? []).map(({ length }) => length - 1);

describe("a frame that would be longer than a line may be", () => {
  const rows = ["a", "b", "c", "d", "e", "f", "g"].map((id) => large(id));

  it("is split in parts that each fit", () => {
    const feed = terminalsFeed(...rows);
    const sizes = lengths(feed.snapshot());
    expect(sizes).toHaveLength(3);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  });

  it("as a snapshot states its position in all parts, the later ones being changes", () => {
    const feed = terminalsFeed();
    feed.publish(publication(rows, { sources: [source("ok")], polledAt: 4 }));
    const heads = terminalsFrames(feed.snapshot()).map(
      ({ data, ev, instance, epoch, ...head }) => ({
        ...head,
        rows: data.terminals.length,
        sources: data.sources !== undefined,
      }),
    );
    expect(heads).toEqual([
      { topic: "terminals", snapshot: true, seq: 1, more: true, rows: 3, sources: true },
      { topic: "terminals", seq: 1, prev_seq: 1, more: true, rows: 3, sources: false },
      { topic: "terminals", seq: 1, prev_seq: 1, rows: 1, sources: false },
    ]);
    const parts = feed.snapshot();
    expect(held(parts.slice(0, 2))).toMatchObject({ partial: true, seq: 1 });
    expect(held(parts)).toMatchObject({ rows, partial: false, seq: 1, sources: [source("ok")] });
  });

  it("as a change moves the position, and states the sources, only in its last part", () => {
    const feed = terminalsFeed(terminal("z"));
    const before = folded("terminals", feed.snapshot());
    feed.publish(publication(rows, { sources: [source("ok")] }));
    const heads = terminalsFrames(feed.since(1)).map(({ data, seq, prev_seq, more }) => ({
      seq,
      prev_seq,
      more,
      sources: data.sources !== undefined,
    }));
    expect(heads).toEqual([
      { seq: 1, prev_seq: 1, more: true, sources: false },
      { seq: 1, prev_seq: 1, more: true, sources: false },
      { seq: 2, prev_seq: 1, more: undefined, sources: true },
    ]);
    expect(held(feed.since(1) ?? [], before)).toMatchObject({ rows, partial: false, seq: 2 });
  });

  it("with handles that were reused tells all ends before all statements", () => {
    const feed = terminalsFeed(...rows);
    const before = folded("terminals", feed.snapshot());
    const anew = rows.map((row) => ({ ...row, pid: 2 }));
    feed.publish(publication([]));
    feed.publish(publication(anew));
    const frames = terminalsFrames(feed.since(1));
    expect(frames.map(({ data }) => data.terminals.length)).toEqual([7, 3, 3, 1]);
    expect(frames.map(({ seq, more }) => [seq, more])).toEqual([
      [1, true],
      [1, true],
      [1, true],
      [3, undefined],
    ]);
    expect(held(feed.since(1) ?? [], before).rows).toEqual(anew);
  });

  it.each(["snapshot", "change"])("is not split while a %s fits to the byte", (kind) => {
    const linesWith = (title: string) => {
      const feed = terminalsFeed(terminal("z"));
      feed.publish(publication([terminal("a", { title }), terminal("b", { title: LARGE })]));
      return kind === "snapshot" ? feed.snapshot() : (feed.since(1) ?? []);
    };
    const [base = 0] = lengths(linesWith(""));
    const room = MAX_FRAME_BYTES - base;
    const fits = linesWith("y".repeat(room));
    expect(lengths(fits)).toEqual([MAX_FRAME_BYTES]);
    const over = linesWith("y".repeat(room + 1));
    expect(over).toHaveLength(2);
    for (const size of lengths(over)) expect(size).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  });

  it.each([1, 3, 7])("fills its parts within the limit at rows of %i kB", (kilobytes) => {
    // Characters of several bytes: the limit counts bytes.
    const title = "é".repeat(kilobytes * 500);
    const many = Array.from({ length: 600 }, (_, index) => terminal(String(index), { title }));
    const feed = terminalsFeed(...many);
    const sizes = lengths(feed.snapshot());
    for (const size of sizes) expect(size).toBeLessThanOrEqual(MAX_FRAME_BYTES);
    for (const size of sizes.slice(0, -1)) {
      expect(size).toBeGreaterThan(MAX_FRAME_BYTES - kilobytes * 1_000 - 1_000);
    }
    expect(held(feed.snapshot()).rows).toEqual(many);
  });
});
