import { expect, test } from "vitest";
import type { RemovalReason } from "../../src/contract/sources.ts";
import { GoneRows, MAX_GONE } from "../../src/topics/gone-rows.ts";

const row = (id: string, text = "") => ({ id, text });
type Row = ReturnType<typeof row>;

const stated = (at: number, rows: readonly Row[], reason: RemovalReason = "closed") => ({
  ...{ at, rows, reasonOf: () => reason },
});

test("a row that is not stated any more is remembered as it was last, with when and why", () => {
  const gone = new GoneRows<Row>();
  gone.state(stated(1, [row("a", "old"), row("b")]));
  gone.state(stated(2, [row("a", "new"), row("b")]));
  expect(gone.find("a")).toBeUndefined();
  gone.state(stated(3, [row("b")], "source_gone"));
  expect(gone.find("a")).toEqual({ row: row("a", "new"), at: 3, reason: "source_gone" });
  expect(gone.find("b")).toBeUndefined();
});

test("one that went a second time is remembered as of that time", () => {
  const gone = new GoneRows<Row>();
  for (const at of [1, 3]) {
    gone.state(stated(at, [row("a", String(at))]));
    gone.state(stated(at + 1, []));
  }
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
