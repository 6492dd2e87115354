import { expect, test } from "vitest";
import { whenInterrupted } from "../../../src/host/channel/interrupted.ts";
import { FakeClock } from "../../lib/fake-clock.ts";

/** After how many milliseconds it calls back, where the program writes on for so long. */
async function calledAfter(writesFor: number): Promise<number> {
  const clock = new FakeClock();
  const ring = { end: 0 };
  let isCalled = false;
  whenInterrupted(clock, ring, () => {
    isCalled = true;
  });
  let ms = 0;
  for (; !isCalled && ms < 1_000; ms += 1) {
    if (ms < writesFor) ring.end += 100;
    await clock.advance(1);
  }
  return ms;
}

test("what an interrupt comes to is looked at once the output has paused for 5 ms", async () => {
  expect(await calledAfter(1)).toBe(10);
  expect(await calledAfter(7)).toBe(15);
});

test("a program that writes on is waited for 25 ms", async () => {
  expect(await calledAfter(500)).toBe(25);
});

test("nothing is called back once it is cancelled", async () => {
  const clock = new FakeClock();
  const cancel = whenInterrupted(clock, { end: 0 }, () => {
    throw new Error("it was called");
  });
  await clock.advance(7);
  cancel();
  await clock.advance(100);
});
