import type { InstanceInfo } from "../../../../src/contract/instances.ts";
import type { Ground } from "../ground.ts";
import { elementsOf } from "../held.ts";
import type { InstanceTruth, Run } from "../history.ts";
import type { Finding } from "../promises.ts";
import { heldAt, type Subscription } from "../replay.ts";
import { gapsBetween, touches } from "../spans.ts";
import { CHAINED, listeners, partsOf } from "./parts.ts";

/** P7: the rows of an instance that says nothing are removed within its lease, and it is listed as not reachable; those of
 * one that is stopped go at once. What is removed was stale before. */
export function* death(ground: Ground): Generator<Finding> {
  for (const truth of ground.history.instances) {
    yield* lapses(ground, truth);
    for (const run of truth.runs) if (run.ending === "stopped") yield* stops(ground, truth.id, run);
  }
  yield* withoutWarning(ground);
}

/** The times in which an instance surely said nothing. */
function silences(ground: Ground, instance: string) {
  const { settings, history } = ground;
  const heard = gapsBetween(ground.silenceOf(instance), 0, history.endsAt);
  return gapsBetween(heard, heard[0]?.from ?? history.endsAt, history.endsAt).filter(
    ({ from, to }) => to - from > settings.leaseMs + settings.marginMs,
  );
}

function* lapses(ground: Ground, truth: InstanceTruth): Generator<Finding> {
  const { leaseMs, marginMs, settleMs } = ground.settings;
  for (const { from } of silences(ground, truth.id)) {
    const by = from + leaseMs + marginMs;
    for (const topic of [...CHAINED, "instances"]) {
      for (const { of, subscription } of listeners(ground, { topic, from, to: by })) {
        const { gateway, name } = of.reader;
        const apart = [...ground.apartOf(gateway), ...ground.history.engineFull];
        if (gateway === truth.id || touches(apart, from - settleMs, by)) continue;
        ground.stake("P7");
        const msg = remains(subscription, gateway, truth.id, by);
        if (msg === undefined) continue;
        const after = `${by - from} ms after its last word`;
        yield { promise: "P7", reader: name, at: by, instance: truth.id, msg: `${msg} ${after}` };
      }
    }
  }
}

function* stops(ground: Ground, instance: string, run: Run): Generator<Finding> {
  const { marginMs, settleMs } = ground.settings;
  const from = run.toldAt ?? run.to;
  if (touches([...(ground.truthOf(instance)?.cut ?? [])], from - settleMs, run.to)) return;
  const by = run.to + marginMs;
  for (const topic of [...CHAINED, "instances"]) {
    for (const { of, subscription } of listeners(ground, { topic, from, to: by })) {
      const { gateway, name } = of.reader;
      const isApart = touches(
        [...ground.apartOf(gateway), ...ground.history.engineFull],
        from - settleMs,
        by,
      );
      if (gateway === instance || isApart) continue;
      // Its next run may have begun meanwhile.
      const next = ground.truthOf(instance)?.runs.find(({ from: start }) => start >= run.to);
      if ((next?.from ?? Number.POSITIVE_INFINITY) <= by) continue;
      ground.stake("P7");
      const msg = remains(subscription, gateway, instance, by);
      if (msg === undefined) continue;
      const after = `${marginMs} ms after it was stopped`;
      yield { promise: "P7", reader: name, at: by, instance, msg: `${msg} ${after}` };
    }
  }
}

/** What is still stated of an instance that is gone. */
function remains(
  { topic, parts }: Subscription,
  gateway: string,
  instance: string,
  at: number,
): string | undefined {
  if (topic !== "instances") {
    const { size } = heldAt(parts.get(instance), at).rows;
    return size === 0 ? undefined : `${size} rows of ${topic} are held`;
  }
  const last = parts.get(gateway)?.steps.findLast(({ record }) => record.at <= at)?.record.frame;
  const listed: readonly InstanceInfo[] = Object(last?.data).instances ?? [];
  const isListed = listed.some(({ id, reachable }) => id === instance && reachable);
  return isListed ? "it is listed as reachable" : undefined;
}

/** Rows of a lost instance go only after they were called out of date. */
function* withoutWarning(ground: Ground): Generator<Finding> {
  for (const { name, part, subscription } of partsOf(ground)) {
    if (!CHAINED.includes(part.topic)) continue;
    for (const { record, before } of part.steps) {
      const isLost = elementsOf(record.frame).some(({ reason }) => reason === "instance_lost");
      const isNew = record.at - subscription.from < ground.settings.leaseMs;
      if (!isLost || isNew || before.sources.every(({ status }) => status !== "ok")) continue;
      const msg = "removed as lost, and was not called stale before";
      yield { promise: "P7", reader: name, at: record.at, instance: part.instance, msg };
    }
  }
}
