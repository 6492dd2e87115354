import type { Ground } from "../ground.ts";
import type { Finding } from "../promises.ts";
import { partsOf } from "./parts.ts";

/** P10 and P16: how many frames come in a second, how long one is, and that a split one ends. */
export function* bounds(ground: Ground): Generator<Finding> {
  const { flushMs, maxFrameBytes, marginMs } = ground.settings;
  // Frames that were held up arrive together with those that were not: twice a second's worth in one second.
  const limit = (2 * 1_000) / flushMs;
  for (const { name, part, subscription } of partsOf(ground)) {
    const { instance } = part;
    let begun = 0;
    for (const [index, { record, before }] of part.steps.entries()) {
      const { at, bytes, frame } = record;
      const say = (promise: "P10" | "P16", msg: string) => ({
        promise,
        reader: name,
        at,
        instance,
        msg,
      });
      ground.stake("P16");
      if (bytes > maxFrameBytes) yield say("P16", `a frame of ${bytes} bytes`);
      const within = before.isPartial && frame.snapshot !== true;
      if (!within) begun = at;
      else if (at - begun > marginMs) yield say("P16", `a part ${at - begun} ms after the first`);
      const earlier = part.steps[index - limit];
      if (earlier !== undefined) ground.stake("P10");
      if (earlier !== undefined && at - earlier.record.at < 1_000 && !within)
        yield say("P10", `more than ${limit} frames in a second`);
    }
    const last = part.steps.at(-1);
    if (last?.after.isPartial === true && subscription.to - last.record.at > marginMs) {
      const msg = "a split frame whose last part did not come";
      yield { promise: "P16", reader: name, at: last.record.at, instance, msg };
    }
  }
}
