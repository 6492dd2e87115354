import { test } from "vitest";
import { PROPERTIES } from "./properties.ts";

/** For all of them together. */
const SECONDS = Number(process.env.TERMTOPIC_LONG_SECONDS ?? 300);
const SHARE_MS = (SECONDS * 1000) / PROPERTIES.length;

test.each(PROPERTIES)(
  "%s, whatever was written for long",
  { timeout: SHARE_MS + 120_000 },
  async (_, check) => {
    await check({
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: SHARE_MS,
      markInterruptAsFailure: false,
    });
  },
);
