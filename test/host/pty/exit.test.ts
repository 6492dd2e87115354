import { afterEach, describe, expect, test } from "vitest";
import { endings, SHAPES } from "./endings.ts";
import { endAll } from "./support.ts";

afterEach(endAll);

describe("the end of a program", () => {
  test.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])(
    "loses no byte of 100 endings, 8 at once: %s",
    async (shape) => {
      const found = await endings(shape, 100);
      expect(found.length).toBe(100);
      expect(found.filter(({ lost, drained, late }) => lost > 0 || !drained || late > 0)).toEqual(
        [],
      );
    },
  );
});
