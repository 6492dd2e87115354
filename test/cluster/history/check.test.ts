import { describe, expect, test } from "vitest";
import { CASES } from "./cases.ts";
import { inWords, judge } from "./check.ts";
import { PROMISES, type PromiseId } from "./promises.ts";
import { Story } from "./story.ts";

describe.each(Object.keys(CASES) as PromiseId[])("%s", (promise) => {
  const { kept, broken } = CASES[promise];

  test.each(Object.keys(kept))(`${PROMISES[promise]}: it is kept where %s`, (what) => {
    const story = new Story();
    kept[what]?.(story);
    const { violations } = judge(story.history());
    expect(violations.map((one) => inWords(one))).toEqual([]);
  });

  test.each(Object.keys(broken))(`${PROMISES[promise]}: it is broken where %s`, (what) => {
    const story = new Story();
    broken[what]?.(story);
    const { violations, stakes } = judge(story.history());
    expect(violations.map((one) => one.promise)).toContain(promise);
    expect(stakes.get(promise)).toBeGreaterThan(0);
    expect(violations.map((one) => inWords(one)).join("\n")).toContain(PROMISES[promise]);
  });
});

test("a history that ends before it was quiet for long enough is refused", () => {
  const story = new Story();
  story.quietFrom = 95_000;
  expect(() => judge(story.history())).toThrow("Expected 12000 ms of quiet");
});
