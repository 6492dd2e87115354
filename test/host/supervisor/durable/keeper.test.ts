import { beforeEach, expect, test } from "vitest";
import { Keeper } from "../../../../src/host/supervisor/durable/keeper.ts";
import { FakeClock } from "../../../lib/fake-clock.ts";

let clock: FakeClock;
let state: string;
let disk: string[];
/** What a writing waits for. */
let hold: Promise<void>;
let faults: unknown[];
let isFull: boolean;
let keeper: Keeper;

beforeEach(() => {
  clock = new FakeClock();
  state = "0";
  disk = [];
  faults = [];
  isFull = false;
  hold = Promise.resolve();
  keeper = new Keeper({
    clock,
    text: () => state,
    async write(text) {
      await hold;
      if (isFull) throw new Error("no room");
      disk.push(text);
    },
    failed: (error) => void faults.push(error),
  });
});

function become(text: string): void {
  state = text;
  keeper.touch();
}

test("what differs is written at once after quiet, and then a few times a second at most", async () => {
  for (let at = 1; at <= 1_000; at += 1) {
    become(String(at));
    await clock.advance(1);
  }
  expect(disk[0]).toBe("1");
  expect(disk.length).toBeGreaterThan(5);
  expect(disk.length).toBeLessThanOrEqual(11);
  await clock.advance(100);
  expect(disk.at(-1)).toBe("1000");
});

test("whoever waits has what was so when he began on disk, also while something else is written", async () => {
  let goOn = () => {};
  hold = new Promise((resolve) => {
    goOn = resolve;
  });
  become("1");
  const first = keeper.settle();
  become("2");
  const both = Promise.all([keeper.settle(), keeper.settle()]);
  expect(disk).toEqual([]);
  goOn();
  await first;
  await both;
  expect(disk).toEqual(["1", "2"]);
});

test("what is on disk already is not written again", async () => {
  become("1");
  await keeper.settle();
  keeper.touch();
  await keeper.settle();
  expect(disk).toEqual(["1"]);
});

test("what may wait waits for no more than it may", async () => {
  state = "1";
  keeper.touch(1_000);
  await clock.advance(999);
  expect(disk).toEqual([]);
  await clock.advance(1);
  expect(disk).toEqual(["1"]);
  state = "2";
  keeper.touch(1_000);
  keeper.touch();
  await clock.advance(100);
  expect(disk).toEqual(["1", "2"]);
});

test("what cannot be written is told of and tried again, and nobody waits for it for ever", async () => {
  isFull = true;
  become("1");
  await keeper.settle();
  expect(faults).toHaveLength(1);
  isFull = false;
  await clock.advance(100);
  expect(disk).toEqual(["1"]);
});

test("nothing is written any more once it was stopped, which waits for what is under way", async () => {
  let goOn = () => {};
  hold = new Promise((resolve) => {
    goOn = resolve;
  });
  become("1");
  await clock.advance(0);
  become("2");
  const stopped = keeper.stop();
  goOn();
  await stopped;
  expect(disk).toEqual(["1"]);
  become("3");
  await keeper.settle();
  await clock.advance(1_000);
  expect(disk).toEqual(["1"]);
});
