import { test } from "vitest";
import { PROPERTIES } from "./properties.ts";

test.each(PROPERTIES)("%s, whatever was written", async (_, check) => {
  await check({ numRuns: 150 });
});
