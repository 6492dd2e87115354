import { expect, test } from "vitest";
import { Entry } from "../../src/dashboard/list/entry.ts";
import { partsOf, partsWith, rowsOf } from "../../src/dashboard/list/parts.ts";
import type { Section } from "../../src/dashboard/shared/place.ts";

/** A row of that host, which began at that time. */
function entry(section: Section, host: string, started_at: number): Entry {
  const id = `pty:${host}.${started_at}`;
  const terminal = { instance: host, id, state: "running", command: ["sh"], started_at };
  return new Entry(id, { terminal, section, agent: undefined }, host);
}

const keys = (entries: readonly Entry[]) => entries.map(({ key }) => key);

const ALL = [
  entry("unattached", "b", 1),
  entry("unattached", "a", 2),
  entry("ended", "a", 3),
  entry("unattached", "a", 4),
  entry("needs", "b", 5),
];

test("rows stand by part, by host and by when they began, whatever order they came in", () => {
  const ordered = ["pty:b.5", "pty:a.4", "pty:a.2", "pty:b.1", "pty:a.3"];
  expect(keys(rowsOf(partsOf(ALL)))).toEqual(ordered);
  expect(keys(rowsOf(partsOf([...ALL].reverse())))).toEqual(ordered);
  expect(partsOf(ALL).map(({ section }) => section)).toEqual(["needs", "unattached", "ended"]);
});

test("a part says how many rows it has, and a filter leaves out rows, hosts without any and no part", () => {
  const parts = partsWith(partsOf(ALL), ({ key }) => key === "pty:a.2");
  expect(keys(rowsOf(parts))).toEqual(["pty:a.2"]);
  expect(parts.map(({ section, count }) => [section, count])).toEqual([
    ["needs", 1],
    ["unattached", 3],
    ["ended", 1],
  ]);
  expect(parts.map(({ groups }) => groups.map(({ host }) => host))).toEqual([[], ["a"], []]);
});
