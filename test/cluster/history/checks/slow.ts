import type { Ground } from "../ground.ts";
import type { ReaderHistory } from "../history.ts";
import type { Finding } from "../promises.ts";
import { touches } from "../spans.ts";

/** P9: a connection is closed by its gateway only where it does not take what it is sent, and then with the code for that.
 * That a slow reader costs no other anything shows in what the others get. */
export function* slow(ground: Ground): Generator<Finding> {
  for (const { reader, stalls } of ground.readers) {
    for (const { at, code } of endsOf(reader)) {
      const { settleMs, tooSlowCode } = ground.settings;
      if (touches(ground.outOf(reader.gateway), at - settleMs, at + settleMs)) continue;
      if (isStopping(ground, reader.gateway, at)) continue;
      ground.stake("P9");
      const wasStalled = stalls.some(({ from, to }) => from <= at && to >= at - settleMs);
      const isRight = wasStalled && (code === tooSlowCode || code === CUT);
      if (isRight) continue;
      const why = wasStalled ? "that took nothing" : "that took all it was sent";
      yield { promise: "P9", reader: reader.name, at, msg: `a reader ${why} was closed: ${code}` };
    }
  }
}

/** What a client sees of an end that did not reach it: a reader that takes nothing does not take the closing either. */
const CUT = 1_006;

function* endsOf({ records }: ReaderHistory) {
  for (const record of records) if (record.kind === "disconnected") yield record;
}

const isStopping = (ground: Ground, instance: string, at: number) =>
  ground
    .truthOf(instance)
    ?.runs.some(({ toldAt, to }) => toldAt !== undefined && toldAt <= at && to >= at);
