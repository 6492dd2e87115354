import type { Ground } from "../ground.ts";
import { elementsOf, isGone } from "../held.ts";
import type { RowTruth, Run } from "../history.ts";
import type { Finding } from "../promises.ts";
import type { Part, Step } from "../replay.ts";
import { partsOf } from "./parts.ts";

/** P6: a row goes because it is gone, or its instance is; not because it could not be read. A removal says when and why. */
export function* gone(ground: Ground): Generator<Finding> {
  for (const { name, part } of partsOf(ground)) {
    for (const step of part.steps) {
      for (const msg of [...unexplained(step), ...untrue(ground, part, step)])
        yield { promise: "P6", reader: name, at: step.record.at, instance: part.instance, msg };
    }
  }
}

function* unexplained({ record: { frame } }: Step): Generator<string> {
  for (const element of elementsOf(frame)) {
    if (!isGone(element)) continue;
    const { removed_at, reason } = element;
    if (removed_at === undefined || reason === undefined)
      yield `a removal without \`removed_at\` and \`reason\`: ${JSON.stringify(element)}`;
  }
}

function* untrue(ground: Ground, part: Part, step: Step): Generator<string> {
  if (part.topic !== "terminals") return;
  const { at, frame } = step.record;
  const truth = ground.truthOf(part.instance);
  const isStopped = wasStopped(truth?.runs ?? [], at, ground.settings.settleMs);
  const ended = ["closed", "source_gone"];
  const removed = new Set<unknown>();
  for (const element of elementsOf(frame)) {
    if (isGone(element) && ended.includes(String(element["reason"]))) removed.add(element["id"]);
  }
  for (const row of truth?.rows ?? []) {
    if (!isThere(row, at)) continue;
    ground.stake("P6");
    if (removed.has(row.key)) yield `${row.key} is said to be closed and is there`;
    if (!isStopped && isForgotten(ground, row, step))
      yield `${row.key} is there and not in the snapshot`;
  }
}

/** Whether the last run that readers can know of was stopped: nothing is held of it, and who asks later is told so. */
const wasStopped = (runs: readonly Run[], at: number, settleMs: number) =>
  runs.some(
    ({ toldAt = at, ending, to }) =>
      ending === "stopped" &&
      toldAt < at &&
      !runs.some(({ listensAt }) => listensAt >= to && listensAt + settleMs < at),
  );

/** Whether a row was there at a time for certain. */
const isThere = ({ opened, closed }: RowTruth, at: number) =>
  opened.sureBy < at && (closed === undefined || closed.since > at);

/** Whether a snapshot that states a reading lacks a row that the reading must have seen; or a row of the same run that the
 * reader was told of already. */
function isForgotten(
  { settings }: Ground,
  row: RowTruth,
  { record, before, after }: Step,
): boolean {
  if (record.frame.snapshot !== true || after.isPartial || after.rows.has(row.key)) return false;
  if (before.rows.has(row.key) && before.epoch === after.epoch) return true;
  const isRead = after.sources.length > 0 && after.sources.every(({ status }) => status === "ok");
  return isRead && row.opened.sureBy + settings.convergeMs < (after.polledAt ?? 0);
}
