import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../host/soak/random.ts";
import { type Judgement, judge } from "../history/check.ts";
import { SETTINGS } from "../history/settings.ts";
import { engineFaults, instanceFaults, type Lane, losses, stalling, visiting } from "./faults.ts";
import { now } from "./now.ts";
import type { Publisher } from "./publisher.ts";
import { Terminals } from "./terminals.ts";
import type { World } from "./world.ts";

/** The bucket's name where it is not said. */
const BUCKET = "termtopic";

/** How many terminals an instance has at most. */
const TERMINALS = 8;

/** How long nothing goes wrong at the beginning of a round, in milliseconds: so long that what goes wrong then is told from
 * what is normal. */
const CALM_MS = 10_000;

/** How long it has to be quiet at the end of a round, in milliseconds: until the last who came back has looked whether
 * another one has its id, and all readers have been told. */
const QUIET_MS =
  SETTINGS.heartbeatMs +
  SETTINGS.staleMarginMs +
  SETTINGS.settleMs +
  SETTINGS.convergeMs +
  SETTINGS.marginMs;

export interface Round extends Judgement {
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
  world.read(2, "steady");
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
  // All come to their end, whatever becomes of one, so that nothing is started any more afterwards.
  const outcomes = await Promise.allSettled([
    ...lanes.map(async (lane) => {
      await sleep(CALM_MS);
      await walk(lane, until, say);
    }),
    ...world.publishers.map(({ terminals }, index) =>
      edit(terminals, new Random(seed + 100 + index), until),
    ),
  ]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  const quietFrom = now();
  say("quiet");
  await sleep(QUIET_MS);
  const history = world.history(quietFrom);
  return {
    ...judge(history, { valueOf: Terminals.valueOf }),
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
    pauses: [4_000, 22_000],
  });
  const readers = world.readers.flatMap((reader, index): Lane[] => {
    const { name } = reader;
    // Now and then nobody stays, so that rows are wanted and not wanted.
    const comesAndGoes = name.endsWith("visitor") || (name.endsWith("steady") && seed % 5 === 0);
    const faults = comesAndGoes
      ? visiting(reader)
      : name.endsWith("slow")
        ? stalling(reader)
        : undefined;
    return faults === undefined
      ? []
      : [{ name, faults, random: random(50 + index), pauses: [3_000, 12_000] }];
  });
  const faults = engineFaults(world, BUCKET);
  const engine: Lane = {
    name: "engine",
    faults,
    first: faults[0],
    random: random(20),
    pauses: [12_000, 45_000],
  };
  // What is promised within a time is promised where not everything goes wrong at once: one instance is left alone, and in
  // most rounds the engine too. It, or another one, is lost at once.
  const instances = world.publishers.map(instance).filter((_, index) => index !== seed % 3);
  if (seed % 3 === 0) return [engine, ...instances, ...readers];
  return [...instances, ...readers].map((lane, index) =>
    index === 0 ? beginningWithLoss(lane) : lane,
  );
}

function beginningWithLoss(lane: Lane): Lane {
  const [loss, ...others] = losses(lane.faults);
  return loss === undefined ? lane : { ...lane, first: lane.random.one([loss, ...others]) };
}

/** Does what a lane has until the time is over, and ends well. */
async function walk(
  { name, faults, first, random, pauses }: Lane,
  until: number,
  say: (what: string) => void,
): Promise<void> {
  for (let next = first; ; next = undefined) {
    if (next === undefined) await sleepUntil(now() + random.between(...pauses), until);
    const fault = next ?? random.one(faults);
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
