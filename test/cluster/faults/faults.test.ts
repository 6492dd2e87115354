import { beforeAll, expect, test } from "vitest";
import { inWords } from "../history/check.ts";
import { openReaders, round } from "./round.ts";
import { World } from "./world.ts";

const SEED = Number(process.env["TERMTOPIC_SEED"] ?? Date.now() % 1_000_000);

/** How long things go wrong. */
const FAULTY_MS = Number(process.env["TERMTOPIC_FAULTY_MS"] ?? 30_000);

let world: World;
beforeAll(async () => {
  world = await World.start();
  return () => world.end();
}, 60_000);

test(
  `readers of three instances are told the truth while things go wrong (seed ${SEED})`,
  async () => {
    openReaders(world);
    const { violations, diary, beganAt, frames } = await round(world, SEED, FAULTY_MS);
    expect(frames).toBeGreaterThan(100);
    const told = violations.map((violation) => inWords(violation, beganAt));
    if (told.length > 0)
      console.info([...diary, ...world.publishers.map(({ log }) => log)].join("\n"));
    expect(told, `seed ${SEED}`).toEqual([]);
  },
  FAULTY_MS + 90_000,
);
