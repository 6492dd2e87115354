import { expect, test } from "vitest";
import { Lateness } from "../../../src/host/channel/lateness.ts";
import { FakeClock } from "../../lib/fake-clock.ts";

const KiB = 1024;

async function heldFor(ms: number, { isInterrupted = false } = {}) {
  const clock = new FakeClock();
  const lateness = new Lateness(clock);
  if (isInterrupted) lateness.interrupted();
  lateness.held();
  await clock.advance(ms);
  return lateness;
}

test("a viewer is too late a megabyte behind, or a quarter of one for a quarter of a second", async () => {
  expect((await heldFor(0)).isTooMuch(1024 * KiB + 1)).toBe(true);
  expect((await heldFor(240)).isTooMuch(300 * KiB)).toBe(false);
  expect((await heldFor(250)).isTooMuch(300 * KiB)).toBe(true);
  expect((await heldFor(10_000)).isTooMuch(200 * KiB)).toBe(false);
});

test("one that has interrupted the program is too late after 25 ms, for a second", async () => {
  expect((await heldFor(24, { isInterrupted: true })).isTooMuch(8 * KiB)).toBe(false);
  expect((await heldFor(25, { isInterrupted: true })).isTooMuch(8 * KiB)).toBe(true);
  expect((await heldFor(25, { isInterrupted: true })).isTooMuch(KiB)).toBe(false);
  expect((await heldFor(1_000, { isInterrupted: true })).isTooMuch(8 * KiB)).toBe(false);
});

test("one that has caught up is not late", async () => {
  const lateness = await heldFor(10_000);
  lateness.isOver();
  expect(lateness.isTooMuch(300 * KiB)).toBe(false);
});
