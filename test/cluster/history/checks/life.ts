import type { Ground } from "../ground.ts";
import { elementsOf } from "../held.ts";
import type { Finding } from "../promises.ts";
import { gapsBetween } from "../spans.ts";
import { isPrompt, partsOf } from "./parts.ts";

/** P8: an instance is declared lost only after it said nothing for its lease, and stopped only where it was stopped; what
 * follows a loss is whole; a new run has a new epoch. */
export function* life(ground: Ground): Generator<Finding> {
  for (const { name, part, of } of partsOf(ground)) {
    const { instance } = part;
    for (const { record, before } of part.steps) {
      const { at, frame } = record;
      const say = (msg: string) => ({ promise: "P8" as const, reader: name, at, instance, msg });
      const reasons = new Set(elementsOf(frame).map(({ reason }) => reason));
      const isLost = reasons.has("instance_lost") && isPrompt(ground, of, at);
      const heard = isLost ? lastSurelyHeard(ground, instance, at) : undefined;
      if (heard !== undefined || before.isLost) ground.stake("P8");
      if (heard !== undefined && at - heard < ground.settings.leaseMs - TIMER_MS)
        yield say(`declared lost ${Math.round(at - heard)} ms after it was heard`);
      if (reasons.has("instance_stopped") && !wasStopped(ground, instance, at))
        yield say("said to be stopped and was not");
      const isChange = frame.snapshot !== true && elementsOf(frame).length > 0;
      if (before.isLost && isChange) yield say("a change after its rows were taken away");
    }
  }
  yield* epochs(ground);
}

/** How early a timer may be, in milliseconds. */
const TIMER_MS = 50;

/** The latest time at which the engine certainly had a heartbeat of it: one comes within each that it can say. */
function lastSurelyHeard(ground: Ground, instance: string, at: number): number | undefined {
  const { heartbeatMs, marginMs } = ground.settings;
  const able = gapsBetween(ground.muteOf(instance), 0, at).findLast(
    ({ from, to }) => to - from > heartbeatMs + marginMs,
  );
  return able === undefined ? undefined : able.to - heartbeatMs;
}

const wasStopped = (ground: Ground, instance: string, at: number) =>
  ground
    .truthOf(instance)
    ?.runs.some(({ ending, toldAt, to }) => ending === "stopped" && (toldAt ?? to) <= at);

/** An epoch belongs to one run: the one that the instance's own readers had it from. */
function* epochs(ground: Ground): Generator<Finding> {
  const runs = new Map<string, number>();
  for (const { name, part, gateway, of } of partsOf(ground)) {
    const { instance, topic } = part;
    if (gateway !== instance) continue;
    for (const { record } of part.steps) {
      const { at, frame } = record;
      const run = ground
        .truthOf(instance)
        ?.runs.findIndex(({ from, to }) => from <= at && to >= at);
      if (run === undefined || run < 0 || !isPrompt(ground, of, at)) continue;
      const key = `${topic} ${frame.epoch}`;
      const before = runs.get(key) ?? run;
      runs.set(key, before);
      if (before === run) continue;
      ground.stake("P8");
      const msg = `the epoch ${frame.epoch} of an earlier run`;
      yield { promise: "P8", reader: name, at, instance, msg };
    }
  }
}
