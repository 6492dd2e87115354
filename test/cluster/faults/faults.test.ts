import { expect, test } from "vitest";
import { report } from "./report.ts";
import { openReaders, round } from "./round.ts";
import { World } from "./world.ts";

const SEED = Number(process.env["TERMTOPIC_SEED"] ?? Date.now() % 1_000_000);

/** How long things go wrong, in milliseconds. */
const FAULTY_MS = Number(process.env["TERMTOPIC_FAULTY_MS"] ?? 36_000);

test(
  `readers of three instances are told the truth while things go wrong (TERMTOPIC_SEED=${SEED})`,
  async ({ onTestFinished }) => {
    const world = await World.start();
    onTestFinished(() => world.end());
    openReaders(world);
    const found = await round(world, SEED, FAULTY_MS);
    expect(found.frames).toBeGreaterThan(100);
    expect(report(world, found)).toEqual([]);
  },
  FAULTY_MS + 90_000,
);
