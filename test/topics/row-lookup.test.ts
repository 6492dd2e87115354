import { expect, test } from "vitest";
import { LOOKUP_MS, RowLookup } from "../../src/topics/row-lookup.ts";
import { FakeClock } from "../lib/fake-clock.ts";

function lookup() {
  const clock = new FakeClock();
  const told: string[] = [];
  const rows = new RowLookup<{ readonly id: string }>(clock, {
    acquire: () => told.push("acquire"),
    release: () => told.push("release"),
    async fresh() {
      told.push("fresh");
      rows.state([{ id: "tmux:a" }]);
    },
  });
  return { clock, told, rows };
}

test("a row is found without a reading where it is known, and with one where it is not", async () => {
  const { told, rows } = lookup();
  expect(await rows.find("tmux:a")).toEqual({ id: "tmux:a" });
  expect(await rows.find("tmux:a")).toEqual({ id: "tmux:a" });
  expect(told).toEqual(["acquire", "fresh"]);
  expect(await rows.find("tmux:b")).toBeUndefined();
  expect(told).toEqual(["acquire", "fresh", "fresh"]);
});

test("rows are wanted for a while after the last one that was looked for, and then no more", async () => {
  const { clock, told, rows } = lookup();
  await rows.find("tmux:a");
  await clock.advance(LOOKUP_MS - 1);
  await rows.find("tmux:a");
  await clock.advance(LOOKUP_MS - 1);
  expect(told).toEqual(["acquire", "fresh"]);
  await clock.advance(1);
  expect(told).toEqual(["acquire", "fresh", "release"]);
  await rows.find("tmux:a");
  expect(told).toEqual(["acquire", "fresh", "release", "acquire"]);
});

test("a row that is known to be on its way is waited for, and not without end", async () => {
  const { clock, rows } = lookup();
  let found: object | undefined | string = "nothing yet";
  const find = async (id: string) => {
    found = "nothing yet";
    found = await rows.find(id, 500);
  };
  void find("pty:new");
  await clock.advance(499);
  expect(found).toBe("nothing yet");
  rows.state([{ id: "pty:new" }]);
  await clock.advance(0);
  expect(found).toEqual({ id: "pty:new" });
  void find("pty:never");
  await clock.advance(500);
  expect(found).toBeUndefined();
});
