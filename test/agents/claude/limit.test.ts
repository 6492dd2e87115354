import { expect, test } from "vitest";
import { limitTo } from "../../../src/agents/claude/limit.ts";
import { settled } from "../../lib/fake-clock.ts";

test("as many tasks as are allowed run at once, and each that ends lets the next one begin, also by failing", async () => {
  const limited = limitTo(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const tasks = [0, 1, 2, 3, 4].map((number) =>
    limited(
      () =>
        new Promise<void>((resolve, reject) => {
          begun.push(number);
          ends[number] = number === 1 ? () => reject(new Error("failed")) : resolve;
        }),
    ).catch(() => {}),
  );
  await settled();
  expect(begun).toEqual([0, 1]);
  ends[1]?.();
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]?.();
  ends[2]?.();
  await settled();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  ends[3]?.();
  ends[4]?.();
  await Promise.all(tasks);
  void limited(async () => void begun.push(5));
  await settled();
  expect(begun).toHaveLength(6);
});
