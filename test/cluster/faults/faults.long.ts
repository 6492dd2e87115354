import { expect, test } from "vitest";
import { report, stakesIn } from "./report.ts";
import { openReaders, round } from "./round.ts";
import { World } from "./world.ts";

/** How long it is looked at in all, half an hour unless that is said otherwise. */
const SECONDS = Number(process.env["TERMTOPIC_LONG_SECONDS"] ?? 1_800);
const SEED = Number(process.env["TERMTOPIC_SEED"] ?? Date.now() % 1_000_000);

/** How long things go wrong before all is healed and looked at, in milliseconds. */
const FAULTY_MS = 90_000;

test(
  `readers of three instances are told the truth while things go wrong, round after round (TERMTOPIC_SEED=${SEED}, ${SECONDS} s)`,
  async ({ onTestFinished }) => {
    const world = await World.start();
    onTestFinished(() => world.end());
    openReaders(world);
    const end = performance.now() + SECONDS * 1_000;
    for (let seed = SEED; ; seed += 1) {
      const found = await round(world, seed, Math.min(FAULTY_MS, SECONDS * 500));
      console.info(
        `seed ${seed}: ${found.violations.length} violations; at stake: ${stakesIn(found)}`,
      );
      expect(report(world, found), `round with the seed ${seed}`).toEqual([]);
      if (performance.now() >= end) break;
      await world.forget();
    }
  },
  SECONDS * 1_000 + 240_000,
);
