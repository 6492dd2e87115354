import { expect, test } from "vitest";
import { type Follower, OutputFeed } from "../../../src/host/monitors/output-feed.ts";
import { countingClock } from "../../processes/support.ts";
import { ScriptedSession } from "./scripted-session.ts";

const MEBIBYTE = 1024 * 1024;

/** Keeps count of what it is given. */
class Counter implements Follower {
  readonly matcher = this;
  readonly from: number;
  bytes = 0;
  looks = 0;
  losses = 0;

  constructor(from = 0) {
    this.from = from;
  }

  feed(bytes: Uint8Array): number {
    this.bytes += bytes.length;
    return -1;
  }

  looked(): void {
    this.looks += 1;
  }

  lost(): void {
    this.losses += 1;
  }
}

/** Each look at its clock costs a millisecond, so that a turn is over after some slices. */
function slow(limit: number) {
  const clock = countingClock();
  const session = new ScriptedSession(clock, { limit });
  return { session, feed: new OutputFeed(session, clock) };
}

test("much output at once is given in turns, and all of it", async () => {
  const { session, feed } = slow(MEBIBYTE);
  const counter = new Counter();
  feed.follow(counter);
  session.ring.append(Buffer.alloc(MEBIBYTE));
  feed.look();
  expect(counter.bytes).toBeLessThan(MEBIBYTE / 4);
  await new Promise((resolve) => setImmediate(resolve));
  expect(counter.bytes).toBeLessThan(MEBIBYTE / 2);
  await feed.caughtUp();
  expect(counter.bytes).toBe(MEBIBYTE);
  expect(counter.looks).toBeGreaterThan(4);
  expect(counter.losses).toBe(0);
});

test("output that leaves the ring before its turn is lost to those who wait for it, to no others", async () => {
  const { session, feed } = slow(MEBIBYTE);
  const first = new Counter();
  feed.follow(first);
  session.ring.append(Buffer.alloc(MEBIBYTE));
  feed.look();
  session.ring.append(Buffer.alloc(MEBIBYTE));
  const second = new Counter(session.ring.end);
  feed.follow(second);
  session.ring.append(Buffer.alloc(100));
  feed.look();
  await feed.caughtUp();
  expect(first.losses).toBe(1);
  expect(second.losses).toBe(0);
  expect(second.bytes).toBe(100);
});

test("nothing is looked at where nobody looks for anything", () => {
  const { session, feed } = slow(MEBIBYTE);
  session.ring.append(Buffer.alloc(MEBIBYTE));
  feed.look();
  const late = new Counter(session.ring.end);
  feed.follow(late);
  session.write("x");
  feed.look();
  expect([late.bytes, late.losses]).toEqual([1, 0]);
});
