import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type BuiltHost, buildHost } from "../hostile/real-host.ts";
import { faultsOf } from "./judgement.ts";
import { soak } from "./soak.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost(join(import.meta.dirname, "program/host.ts"));
  return built.remove;
}, 60_000);

test("a host that was used in every way at once has no more afterwards than before", async () => {
  const soaked = await soak({ built, seed: 1, roundSeconds: 3, rounds: 2 });
  expect(faultsOf(soaked)).toEqual([]);
  expect(soaked.happenings).toBeGreaterThan(20);
}, 120_000);
