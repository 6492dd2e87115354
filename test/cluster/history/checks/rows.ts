import type { Ground } from "../ground.ts";
import { elementsOf, isGone } from "../held.ts";
import type { RowTruth } from "../history.ts";
import type { Finding } from "../promises.ts";
import { heldAt } from "../replay.ts";
import { listeners, partsOf } from "./parts.ts";

/** P5: what comes of one row was its value, in the order in which it was, and the newest comes although others may be left
 * out. P13 where it is the gateway's own row while the engine is out. */
export function* rows(ground: Ground): Generator<Finding> {
  yield* inOrder(ground);
  for (const { id, rows: truths } of ground.history.instances) {
    for (const row of truths) yield* arriving(ground, id, row);
  }
}

/** Where a value stands among those of its row; -1 for what it was before the first of them. */
function versionOf(ground: Ground, row: RowTruth, element: object): number {
  const value = ground.settings.valueOf(element);
  return row.versions.findIndex((version) => version.value === value);
}

function* inOrder(ground: Ground): Generator<Finding> {
  const newest = new Map<string, number>();
  for (const { name, part } of partsOf(ground)) {
    const { instance, topic } = part;
    if (topic !== "terminals") continue;
    const truths = new Map(ground.truthOf(instance)?.rows.map((row) => [row.key, row] as const));
    for (const { record } of part.steps) {
      for (const element of elementsOf(record.frame)) {
        const row = truths.get(String(element["id"]));
        // Of a terminal that is ending less and less is known.
        const isUnknown = ground.settings.valueOf(element) === undefined;
        if (row === undefined || isGone(element) || isUnknown) continue;
        const version = versionOf(ground, row, element);
        const key = `${name} ${instance} ${row.key}`;
        const before = newest.get(key) ?? -1;
        newest.set(key, Math.max(before, version));
        const say = (msg: string) => ({
          promise: "P5" as const,
          reader: name,
          at: record.at,
          instance,
          msg: `${row.key}: ${msg}`,
        });
        if (version < before) yield say(`its value number ${version} after number ${before}`);
        const isEarly = (row.versions[version]?.since ?? 0) > record.at;
        if (isEarly) yield say(`its value number ${version} before it was given`);
      }
    }
  }
}

/** That each of its values, or a later one, is at every reader that can be told, in time. */
function* arriving(ground: Ground, instance: string, row: RowTruth): Generator<Finding> {
  const { convergeMs, settleMs } = ground.settings;
  for (const [index, { sureBy }] of row.versions.entries()) {
    const by = sureBy + convergeMs;
    if ((row.closed?.since ?? Number.POSITIVE_INFINITY) <= by || by > ground.history.endsAt)
      continue;
    const from = sureBy - settleMs;
    for (const { of, subscription } of listeners(ground, { topic: "terminals", from, to: by })) {
      const { gateway, name } = of.reader;
      if (!ground.isHeard(gateway, instance, sureBy, by)) continue;
      ground.stake("P5");
      const held = heldAt(subscription.parts.get(instance), by).rows.get(row.key);
      if (held !== undefined && versionOf(ground, row, held) >= index) continue;
      const isAlone =
        gateway === instance &&
        ground.history.engineOut.some((out) => out.from <= by && out.to >= sureBy);
      const what = held === undefined ? "is not held" : "has an older value";
      const msg = `${row.key}: ${what} ${convergeMs} ms after its value number ${index}`;
      yield { promise: isAlone ? "P13" : "P5", reader: name, at: by, instance, msg };
    }
  }
}
