import { expect, test } from "vitest";
import { endings, SHAPES } from "./endings.ts";

/** A thousand large endings take about a minute on two processors. */
const LIMIT_MS = 15 * 60_000;

test.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])(
  "1 000 endings of a program lose no byte, 8 at once: %s",
  { timeout: LIMIT_MS },
  async (shape) => {
    const found = await endings(shape, 1_000);
    expect(found.length).toBe(1_000);
    expect(found.filter(({ lost, drained, late }) => lost > 0 || !drained || late > 0)).toEqual([]);
  },
);
