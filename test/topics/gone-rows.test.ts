import { describe, expect, test } from "vitest";
import type { RemovalReason } from "../../src/contract/sources.ts";
import { GoneRows, MAX_GONE } from "../../src/topics/gone-rows.ts";

const row = (id: string, text = "") => ({ id, text });
type Row = ReturnType<typeof row>;

const stated = (
  at: number,
  rows: readonly Row[],
  { reason = "closed", unread = "" }: { reason?: RemovalReason; unread?: string } = {},
) => ({
  ...{ at, rows, reasonOf: () => reason },
  isUnread: ({ id }: Row) => unread.includes(id),
});

test("a row that is not stated any more is remembered as it was last, with when and why", () => {
  const gone = new GoneRows<Row>();
  gone.state(stated(1, [row("a", "old"), row("b")]));
  gone.state(stated(2, [row("a", "new"), row("b")]));
  expect(gone.find("a")).toBeUndefined();
  gone.state(stated(3, [row("b")], { reason: "source_gone" }));
  expect(gone.find("a")).toEqual({ row: row("a", "new"), at: 3, reason: "source_gone" });
  expect(gone.find("b")).toBeUndefined();
});

test("one that went a second time is remembered as of that time, and meanwhile not at all", () => {
  const gone = new GoneRows<Row>();
  gone.state(stated(1, [row("a", "1")]));
  gone.state(stated(2, []));
  gone.state(stated(3, [row("a", "3")]));
  expect(gone.find("a")).toBeUndefined();
  gone.state(stated(4, []));
  expect(gone.find("a")).toEqual({ row: row("a", "3"), at: 4, reason: "closed" });
});

test("the last thousand are remembered", () => {
  const gone = new GoneRows<Row>();
  const all = Array.from({ length: MAX_GONE + 1 }, (_, at) => row(String(at)));
  gone.state(stated(1, all.slice(0, 1)));
  gone.state(stated(2, all.slice(1)));
  gone.state(stated(3, []));
  expect(gone.find("0")).toBeUndefined();
  expect(gone.find("1")).toBeDefined();
  expect(gone.find(String(MAX_GONE))).toBeDefined();
});

describe("what went while nobody looked", () => {
  const lookedAway = () => {
    const gone = new GoneRows<Row>();
    gone.state(stated(1, [row("a", "last"), row("b"), row("c")]));
    gone.lookAway();
    return gone;
  };

  test("is found when somebody looks again, and not before", () => {
    const gone = lookedAway();
    expect(gone.find("a")).toBeUndefined();
    gone.state(stated(5, [row("b"), row("c")]));
    expect(gone.find("a")).toEqual({ row: row("a", "last"), at: 5, reason: "closed" });
    expect(gone.find("b")).toBeUndefined();
  });

  test("is not taken for gone while what it is read from was not read", () => {
    const gone = lookedAway();
    const rows = [row("b")];
    gone.state(stated(5, rows, { unread: "ac" }));
    // Nobody looks for long enough that all of it is read.
    gone.lookAway();
    gone.state(stated(6, rows, { unread: "ac" }));
    expect(gone.find("a")).toBeUndefined();
    // The reading that says so need not say anything else.
    gone.state(stated(7, rows, { unread: "c" }));
    expect(gone.find("a")).toMatchObject({ at: 7 });
    expect(gone.find("c")).toBeUndefined();
    gone.state(stated(8, [row("b"), row("c", "later")]));
    gone.state(stated(9, rows));
    expect(gone.find("c")).toEqual({ row: row("c", "later"), at: 9, reason: "closed" });
  });

  test("takes nothing from what is remembered when it is only not read yet", () => {
    const gone = new GoneRows<Row>();
    gone.state(stated(1, [row("old")]));
    const many = Array.from({ length: 2 * MAX_GONE }, (_, at) => row(`x${at}`));
    gone.state(stated(2, many));
    for (let round = 0; round < 3; round++) {
      gone.lookAway();
      gone.state({ ...stated(3, []), isUnread: () => true });
      gone.state(stated(4, many));
    }
    expect(gone.find("old")).toMatchObject({ at: 2 });
  });
});
