import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type BuiltHost, buildHost } from "../hostile/real-host.ts";
import { faultsOf } from "./judgement.ts";
import { soak } from "./soak.ts";

/** How long the host is used, an hour unless that is said otherwise, and what is made of it. */
const SECONDS = Number(process.env["TERMTOPIC_LONG_SECONDS"] ?? 3_600);
const SEED = Number(process.env["TERMTOPIC_SEED"] ?? Date.now() % 1_000_000);

/** How long it is used without a rest, in seconds. */
const ROUND_SECONDS = 30;

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost(join(import.meta.dirname, "program/host.ts"));
  return built.remove;
}, 60_000);

test(
  `a host that is used in every way at once has no more afterwards than before (seed ${SEED}, ${SECONDS} s)`,
  async () => {
    const rounds = Math.max(2, Math.ceil(SECONDS / ROUND_SECONDS));
    const soaked = await soak({
      built,
      seed: SEED,
      roundSeconds: SECONDS / rounds,
      rounds: rounds - 1,
      rested: ({ vitals, memory }, happenings) =>
        console.info(JSON.stringify({ happenings, ...vitals, ...memory })),
    });
    expect(faultsOf(soaked)).toEqual([]);
  },
  2 * SECONDS * 1_000 + 120_000,
);
