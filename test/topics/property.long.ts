import fc from "fast-check";
import { it } from "vitest";
import { histories } from "./events.ts";
import { World } from "./model.ts";

const SECONDS = Number(process.env["TERMTOPIC_LONG_SECONDS"] ?? 60);
const RUNS = Number(process.env["TERMTOPIC_LONG_RUNS"] ?? 5_000);
const SEED = Number(process.env["TERMTOPIC_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

it(
  "every reader that is up to date holds the rows that are published, over thousands of histories",
  async () => {
    console.log(`seed ${SEED}: the same histories again with TERMTOPIC_SEED=${SEED}`);
    let runs = 0;
    const property = fc.asyncProperty(histories(120), async (events) => {
      const world = new World();
      for (const event of events) await world.meet(event);
      await world.finish();
      runs += 1;
    });
    await fc.assert(property, {
      numRuns: RUNS,
      seed: SEED,
      interruptAfterTimeLimit: SECONDS * 1_000,
    });
    console.log(`${runs} histories`);
  },
  (SECONDS + 60) * 1_000,
);
