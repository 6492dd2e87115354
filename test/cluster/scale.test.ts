import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { waitsOf } from "../../bench/cluster/scale/changes.ts";
import { type Fleet, LAYOUTS } from "../../bench/cluster/scale/fleet.ts";
import { lineThrough, onPlane, planeThrough } from "../../bench/cluster/scale/line.ts";
import { loadOf } from "../../bench/cluster/scale/load.ts";
import measured from "../../bench/cluster/scale/measured.json" with { type: "json" };
import type { Measured } from "../../bench/cluster/scale/measured.ts";
import { placesIn, withTables } from "../../bench/cluster/scale/paper.ts";
import { tablesOf } from "../../bench/cluster/scale/tables.ts";

/** Slopes that can be reckoned with in the head. */
const PLAIN: Measured = {
  machine: "none",
  at: "2026-12-01",
  load: 0,
  valueBytes: { at0: 400, each: 60 },
  writeMs: { at0: 1, each: 0 },
  busPutMs: { at0: 0.5, each: 0 },
  busDeliveryMs: 0.1,
  gatewayUnchangedMs: { at0: 1, each: 0 },
  gatewayChangedMs: { at0: 2, each: 0 },
  gatewayBaseMsPerSecond: 0,
  gatewayFrameMs: 0.25,
  snapshotMs: { at0: 100, host: 1, row: 0.01 },
  gatewayBytes: { at0: 1e8, host: 30_000, row: 2_000 },
  busBytes: { at0: 1e7, each: 60_000 },
  passageMs: 3,
  points: [],
  rates: [],
  beyond: {
    ...{ instances: 10, rows: 10, changes: 1, p50: 5, p99: 10, snapshotMs: 100 },
    ...{ valueBytes: 1_000, writeMs: 1, busMs: 1, unchangedMs: 1, changedMs: 1 },
    ...{ quietMsPerSecond: 10, gatewayBytes: 1e8, busBytes: 1e7 },
  },
};

const FLEET: Fleet = {
  ...{ hosts: 1, rows: 100, changes: 0.5, gateways: 1, subscribers: 1, asked: 1 },
};

describe("docs/scale.md", () => {
  const paper = readFileSync(new URL("../../docs/scale.md", import.meta.url), "utf8");
  const tables = tablesOf(measured);

  test("its tables are those that the simulation makes of the slopes that were measured", () => {
    expect(withTables(paper, tables)).toBe(paper);
  });

  test("it shows every table of the simulation once", () => {
    expect(placesIn(paper).sort()).toEqual([...tables.keys()].sort());
  });

  test("a table goes into its place and nothing else changes, whether or not one was there", () => {
    const text = (between: string) => `a\n<!-- table: one -->\n${between}<!-- end -->\nb\n`;
    const put = (before: string) =>
      withTables(text(before) + text(before), new Map([["one", "| 1 |"]]));
    expect(put("")).toBe(text("| 1 |\n") + text("| 1 |\n"));
    expect(put("| 0 |\n")).toBe(put(""));
  });

  test("a place for a table that there is not is an error that names those there are", () => {
    const text = "<!-- table: sizes -->\n<!-- end -->";
    expect(() => withTables(text, tables)).toThrow(/slopes.*got sizes/);
  });
});

describe("the simulation", () => {
  test("says the same each time", () => {
    const fleet = { ...FLEET, hosts: 50, changes: 2 };
    expect(waitsOf(fleet, LAYOUTS.today, PLAIN)).toEqual(waitsOf(fleet, LAYOUTS.today, PLAIN));
  });

  test("where nothing waits, a change takes as long as the bus, the gateway, the frame and the passage", () => {
    const { p50 } = waitsOf(FLEET, LAYOUTS.today, PLAIN);
    expect(p50).toBeCloseTo(0.5 + 2 + 0.25 + 3, 6);
  });

  test("more changes wait longer for each other", () => {
    const { p99: few = Number.NaN } = waitsOf({ ...FLEET, hosts: 20 }, LAYOUTS.today, PLAIN);
    const { p99: many = Number.NaN } = waitsOf({ ...FLEET, hosts: 500 }, LAYOUTS.today, PLAIN);
    expect(many).toBeGreaterThan(few);
  });

  test("a gateway that has more to do in a second than it can falls behind", () => {
    const fleet = { ...FLEET, hosts: 2_000 };
    expect(loadOf(fleet, LAYOUTS.today, PLAIN).gatewayShare).toBeGreaterThan(1);
    expect(waitsOf(fleet, LAYOUTS.today, PLAIN)).toEqual({ p50: undefined, p99: undefined });
  });

  test("a gateway that reads 4 of 64 buckets has the sixteenth part of the work and of the rows", () => {
    const fleet = { ...FLEET, hosts: 10_000 };
    const whole = loadOf(fleet, LAYOUTS.rows, PLAIN);
    const part = loadOf(fleet, LAYOUTS.sharded, PLAIN);
    expect(part.gatewayShare).toBeCloseTo(whole.gatewayShare / 16, 9);
    expect(part.snapshotMs - 100).toBeCloseTo((whole.snapshotMs - 100) / 16, 9);
  });

  test("each step of the layout asks no more of the bus and of a gateway than the one before", () => {
    const fleet = { ...FLEET, hosts: 10_000, changes: 1, gateways: 100 };
    const sloped = { ...PLAIN, busPutMs: { at0: 0.5, each: 0.001 } };
    const loads = Object.values(LAYOUTS).map((layout) => loadOf(fleet, layout, sloped));
    for (const [index, load] of loads.slice(1).entries()) {
      expect(load.hubShare).toBeLessThanOrEqual(loads[index]?.hubShare ?? 0);
      expect(load.gatewayShare).toBeLessThanOrEqual(loads[index]?.gatewayShare ?? 0);
    }
  });
});

describe("slopes", () => {
  test("points of a line give that line", () => {
    const points = [10, 100, 400].map((x) => ({ x, y: 7 + 0.5 * x }));
    const { at0, each } = lineThrough(points);
    expect([at0, each]).toEqual([expect.closeTo(7, 9), expect.closeTo(0.5, 9)]);
  });

  test("points that fall give no slope below nothing", () => {
    const points = [10, 100, 400].map((x) => ({ x, y: 9 - 0.01 * x }));
    expect(lineThrough(points).each).toBe(0);
  });

  test("what hosts add is told apart from what their rows add", () => {
    const y = (hosts: number, rows: number) => 100 + 2 * hosts + 0.1 * rows;
    const points = [1_000, 10_000, 40_000].map((rows) => ({ hosts: 100, rows, y: y(100, rows) }));
    const plane = planeThrough(points, { hosts: 600, rows: 6_000, y: y(600, 6_000) });
    expect(onPlane(plane, 1_000, 100_000)).toBeCloseTo(y(1_000, 100_000), 6);
  });
});
