import type { Ground } from "../ground.ts";
import { elementsOf, isLoss } from "../held.ts";
import type { Finding } from "../promises.ts";
import type { Step } from "../replay.ts";
import { partsOf } from "./parts.ts";

/** P4: each change builds on what the reader holds, and says where it leads. */
export function* chain(ground: Ground): Generator<Finding> {
  for (const { name, part } of partsOf(ground)) {
    for (const step of part.steps) {
      ground.stake("P4");
      const msg = faultOf(step);
      if (msg === undefined) continue;
      const { at } = step.record;
      yield { promise: "P4", reader: name, at, instance: part.instance, msg };
    }
  }
}

function faultOf({ before, record: { frame }, isFirst }: Step): string | undefined {
  const { epoch, seq, prev_seq, snapshot, more } = frame;
  if (epoch === undefined || seq === undefined) return "a frame without `epoch` and `seq`";
  if (snapshot === true) {
    if (prev_seq !== undefined) return "a snapshot with `prev_seq`";
    const isBack = !isFirst && before.epoch === epoch && seq < (before.seq ?? 0);
    return isBack ? `a snapshot at ${seq} after ${before.seq}` : undefined;
  }
  if (prev_seq === undefined) return "a change without `prev_seq`";
  if (isFirst) return undefined;
  if (epoch !== before.epoch)
    return `a change of the epoch ${epoch} where ${before.epoch} was held`;
  if (prev_seq !== before.seq) return `a hole: ${prev_seq} builds on what ${before.seq} is not`;
  if (seq < prev_seq) return `a change from ${prev_seq} back to ${seq}`;
  const isStanding = seq === prev_seq && more !== true && !before.isPartial;
  if (isStanding && elementsOf(frame).length > 0 && !isLoss(frame))
    return `rows in a frame that stays at ${seq}`;
  return undefined;
}
