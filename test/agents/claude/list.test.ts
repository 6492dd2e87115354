import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listStateFiles } from "../../../src/agents/claude/list.ts";
import { temporaryFolder } from "../../inventory/unit/support.ts";

test("a folder that is full of state files is listed whole, in slices between which others run", async () => {
  const folder = temporaryFolder();
  const pids = Array.from({ length: 1_000 }, (_, index) => 4_000_000 + index);
  for (const pid of pids) writeFileSync(join(folder, `${pid}.json`), "");
  writeFileSync(join(folder, "other.json"), "");
  let pauses = 0;
  const listing = await listStateFiles(folder, async () => {
    pauses += 1;
  });
  if (listing.kind !== "pids") throw new Error(`Expected a list, got ${listing.kind}`);
  expect(listing.isWhole).toBe(true);
  expect(listing.pids.toSorted((a, b) => a - b)).toEqual(pids);
  expect(pauses).toBeGreaterThanOrEqual(15);
});

test("what others do meanwhile is done before the listing is", async () => {
  const folder = temporaryFolder();
  for (let pid = 1; pid <= 500; pid += 1) writeFileSync(join(folder, `${pid}.json`), "");
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await listStateFiles(folder);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(7);
});
