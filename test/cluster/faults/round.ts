import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../host/soak/random.ts";
import { violations } from "../history/check.ts";
import type { Violation } from "../history/promises.ts";
import { SETTINGS } from "../history/settings.ts";
import { engineFaults, instanceFaults, type Lane, stalling, visiting } from "./faults.ts";
import { now } from "./now.ts";
import type { Publisher } from "./publisher.ts";
import { Terminals } from "./terminals.ts";
import type { World } from "./world.ts";

/** The bucket's name where it is not said. */
const BUCKET = "termtopic";

/** How many terminals an instance has at most. */
const TERMINALS = 8;

/** How long it has to be quiet at the end of a round, in milliseconds: until the last who came back has looked whether
 * another one has its id, and all readers have been told. */
const QUIET_MS =
  SETTINGS.heartbeatMs +
  SETTINGS.staleMarginMs +
  SETTINGS.settleMs +
  SETTINGS.convergeMs +
  SETTINGS.marginMs;

export interface Round {
  readonly violations: readonly Violation[];
  /** What was done, each with its time in seconds since the round began. */
  readonly diary: readonly string[];
  readonly beganAt: number;
  readonly frames: number;
}

/** Readers of each of three instances: one at two of them that mostly stays, one at two that visits, a slow one. */
export function openReaders(world: World): void {
  world.read(0, "steady", ["terminals.usage"]);
  world.read(0, "slow");
  world.read(1, "steady");
  world.read(1, "visitor");
  world.read(2, "visitor");
}

/** Lets faults happen that the seed chooses for some time, heals all, waits until it is quiet, and checks what readers were
 * told. */
export async function round(world: World, seed: number, faultyMs: number): Promise<Round> {
  const beganAt = now();
  const until = beganAt + faultyMs;
  const diary: string[] = [];
  const say = (what: string) => diary.push(`${((now() - beganAt) / 1_000).toFixed(2)} ${what}`);
  const lanes = lanesOf(world, seed);
  await Promise.all([
    ...lanes.map((lane) => walk(lane, until, say)),
    ...world.publishers.map(({ terminals }, index) =>
      edit(terminals, new Random(seed + 100 + index), until),
    ),
  ]);
  const quietFrom = now();
  say("quiet");
  await sleep(QUIET_MS);
  const history = world.history(quietFrom);
  return {
    violations: violations(history, { valueOf: Terminals.valueOf }),
    diary,
    beganAt,
    frames: history.readers.reduce((sum, { records }) => sum + records.length, 0),
  };
}

function lanesOf(world: World, seed: number): Lane[] {
  const random = (number: number) => new Random(seed * 31 + number);
  const instance = (publisher: Publisher, index: number): Lane => ({
    name: publisher.name,
    faults: instanceFaults(publisher),
    random: random(index),
    pauses: [500, 15_000],
  });
  const readers = world.readers.flatMap((reader, index): Lane[] => {
    const { name } = reader;
    // In every other round nobody stays, so that rows are wanted and not wanted.
    const comesAndGoes = name.endsWith("visitor") || (name.endsWith("steady") && seed % 2 === 1);
    const faults = comesAndGoes
      ? visiting(reader)
      : name.endsWith("slow")
        ? stalling(reader)
        : undefined;
    return faults === undefined
      ? []
      : [{ name, faults, random: random(50 + index), pauses: [3_000, 12_000] }];
  });
  const engine: Lane = {
    name: "engine",
    faults: engineFaults(world, BUCKET),
    random: random(20),
    pauses: [8_000, 40_000],
  };
  return [...world.publishers.map(instance), engine, ...readers];
}

/** Does what a lane has until the time is over, and ends well. */
async function walk(
  { name, faults, random, pauses }: Lane,
  until: number,
  say: (what: string) => void,
): Promise<void> {
  for (;;) {
    await sleepUntil(now() + random.between(...pauses), until);
    const fault = random.one(faults);
    const lasts = random.between(...fault.lasts);
    if (now() >= until) return;
    say(`${name}: ${fault.name} for ${lasts} ms`);
    await fault.begin();
    await sleepUntil(now() + lasts, until);
    await fault.end();
    say(`${name}: ${fault.name} is over`);
  }
}

const sleepUntil = (at: number, until: number) => sleep(Math.max(0, Math.min(at, until) - now()));

/** Opens, changes and closes terminals. */
async function edit(terminals: Terminals, random: Random, until: number): Promise<void> {
  while (now() < until) {
    await sleep(random.between(50, 900));
    const { length } = terminals.open;
    const index = random.below(Math.max(1, length));
    if (length > 1 && random.oneIn(length < TERMINALS ? 10 : 3)) await terminals.close(index);
    else if (length < TERMINALS && random.oneIn(8)) await terminals.add();
    else await terminals.change(index);
  }
}
