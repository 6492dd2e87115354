import type { Ground } from "../ground.ts";
import { elementsOf } from "../held.ts";
import type { Finding } from "../promises.ts";
import type { Part } from "../replay.ts";
import { touches } from "../spans.ts";
import { isListening, partsOf } from "./parts.ts";

/** P1 and P2: each part begins with a snapshot, has one only where something made another necessary, and states rows of its
 * own instance alone. */
export function* snapshots(ground: Ground): Generator<Finding> {
  for (const { name, gateway, part, of } of partsOf(ground)) {
    const { instance } = part;
    for (const [index, step] of part.steps.entries()) {
      const { at, frame } = step.record;
      const say = (promise: "P1" | "P2", msg: string) => ({
        promise,
        reader: name,
        at,
        instance,
        msg,
      });
      ground.stake("P2");
      if (step.isFirst && frame.snapshot !== true) yield say("P1", "a change before the snapshot");
      const since = isAnother(part, index) ? lastSnapshotAt(part, index) : at;
      const isHeard = ground.isHeard(gateway, instance, since, at);
      if (since < at && isHeard && !touches(of.stalls, 0, at))
        yield say("P1", "a second snapshot, and nothing made it necessary");
      const other = elementsOf(frame).find((element) => element["instance"] !== instance);
      if (other !== undefined)
        yield say("P2", `a row of ${other["instance"]} in a frame of ${instance}`);
    }
  }
  yield* unstated(ground);
}

/** Whether it is a snapshot of what the reader holds by an unbroken chain. */
function isAnother({ steps }: Part, index: number): boolean {
  const step = steps[index];
  if (step === undefined || step.isFirst || step.record.frame.snapshot !== true) return false;
  const { before } = step;
  return !before.isLost && !before.isPartial && before.epoch === step.after.epoch;
}

const lastSnapshotAt = ({ steps }: Part, index: number) =>
  steps.slice(0, index).findLast(({ record }) => record.frame.snapshot === true)?.record.at ?? 0;

/** An instance that is heard all the while is stated, also with no rows. */
function* unstated(ground: Ground): Generator<Finding> {
  const { settleMs, convergeMs } = ground.settings;
  for (const of of ground.readers) {
    for (const subscription of of.subscriptions) {
      if (subscription.topic === "instances") continue;
      const by = subscription.from + settleMs + convergeMs;
      if (!isListening({ of, subscription }, subscription.from, by, settleMs)) continue;
      for (const { id } of ground.history.instances) {
        if (!ground.isHeard(of.reader.gateway, id, subscription.from, by)) continue;
        ground.stake("P1");
        const first = subscription.parts.get(id)?.steps[0]?.record.at;
        if (first !== undefined && first <= by) continue;
        const msg = `no snapshot of it within ${by - subscription.from} ms of the subscription to ${subscription.topic}`;
        yield { promise: "P1", reader: of.reader.name, at: by, instance: id, msg };
      }
    }
  }
}
