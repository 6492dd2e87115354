import type { Ground } from "../ground.ts";
import type { InstanceTruth } from "../history.ts";
import type { Finding } from "../promises.ts";
import { heldAt } from "../replay.ts";
import { listeners } from "./parts.ts";

/** P3: at the end, after it was quiet for long enough, every reader holds exactly what is there. */
export function* convergence(ground: Ground): Generator<Finding> {
  const { endsAt, quietFrom } = ground.history;
  const needed = ground.settings.settleMs + ground.settings.convergeMs;
  if (endsAt - quietFrom < needed)
    throw new RangeError(`Expected ${needed} ms of quiet at the end, got ${endsAt - quietFrom}`);
  for (const { of, subscription } of listeners(ground, {
    topic: "terminals",
    from: endsAt,
    to: endsAt,
  })) {
    for (const truth of ground.history.instances) {
      ground.stake("P3");
      const held = heldAt(subscription.parts.get(truth.id), endsAt);
      for (const msg of differences(ground, truth, held)) {
        yield { promise: "P3", reader: of.reader.name, at: endsAt, instance: truth.id, msg };
      }
    }
  }
}

function* differences(
  { settings }: Ground,
  truth: InstanceTruth,
  held: ReturnType<typeof heldAt>,
): Generator<string> {
  const isRunning = truth.runs.at(-1)?.to === Number.POSITIVE_INFINITY;
  const there = truth.rows.filter((row) => isRunning && row.closed === undefined);
  const keys = new Set<unknown>(there.map(({ key }) => key));
  for (const key of held.rows.keys()) if (!keys.has(key)) yield `${key} is held and is not there`;
  for (const { key, versions } of there) {
    const row = held.rows.get(key);
    const value = row === undefined ? undefined : settings.valueOf(row);
    const last = versions.at(-1);
    if (row === undefined) yield `${key} is there and is not held`;
    else if (last !== undefined && last.value !== value)
      yield `${key} is ${last.value} and held as ${value}`;
  }
  const bad = held.sources.filter(({ status }) => status !== "ok" && status !== "absent");
  if (isRunning && bad.length > 0) yield `its sources are not read: ${JSON.stringify(bad)}`;
}
