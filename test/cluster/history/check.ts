import { bounds } from "./checks/bounds.ts";
import { chain } from "./checks/chain.ts";
import { convergence } from "./checks/convergence.ts";
import { death } from "./checks/death.ts";
import { gone } from "./checks/gone.ts";
import { life } from "./checks/life.ts";
import { outage } from "./checks/outage.ts";
import { owners } from "./checks/owners.ts";
import { positions } from "./checks/positions.ts";
import { rows } from "./checks/rows.ts";
import { slow } from "./checks/slow.ts";
import { snapshots } from "./checks/snapshots.ts";
import { staleness } from "./checks/staleness.ts";
import { Ground } from "./ground.ts";
import type { FrameRecord, History } from "./history.ts";
import { type Finding, PROMISES, type PromiseId, type Violation } from "./promises.ts";
import { SETTINGS, type Settings } from "./settings.ts";

const CHECKS = [
  snapshots,
  owners,
  chain,
  convergence,
  rows,
  gone,
  death,
  life,
  slow,
  bounds,
  staleness,
  outage,
  positions,
];

/** How many frames before and after a violation are shown. */
const AROUND = 4;

export interface Judgement {
  /** What was not kept, in the order of time. */
  readonly violations: readonly Violation[];
  /** How often each promise was at stake. One that never was says nothing. */
  readonly stakes: ReadonlyMap<PromiseId, number>;
}

/** Which of the promises were kept in a history. */
export function judge(history: History, changed: Partial<Settings> = {}): Judgement {
  const ground = new Ground(history, { ...SETTINGS, ...changed });
  const findings = CHECKS.flatMap((check) => [...check(ground)]);
  const violations = findings
    .map((finding) => ({ ...finding, around: framesAround(history, finding) }))
    .sort((one, other) => one.at - other.at);
  return { violations, stakes: ground.stakes };
}

function framesAround({ readers }: History, { reader, at, instance }: Finding): FrameRecord[] {
  const frames = (readers.find(({ name }) => name === reader)?.records ?? []).filter(
    (record): record is FrameRecord =>
      record.kind === "frame" && (instance === undefined || record.frame.instance === instance),
  );
  const index = frames.findIndex((record) => record.at >= at);
  const middle = index < 0 ? frames.length : index;
  return frames.slice(Math.max(0, middle - AROUND), middle + AROUND);
}

/** How much of a frame is shown. */
const SHOWN_CHARACTERS = 600;

/** A violation in words, with times counted from `since`. */
export function inWords(
  { promise, reader, at, instance, msg, around }: Violation,
  since = 0,
): string {
  const time = (ms: number) => `${((ms - since) / 1_000).toFixed(3)} s`;
  const whose = instance === undefined ? "" : ` of ${instance}`;
  const frames = around.map(
    (record) => `    ${time(record.at)} ${JSON.stringify(record.frame).slice(0, SHOWN_CHARACTERS)}`,
  );
  const head = `${promise} (${PROMISES[promise]}) at ${time(at)}, reader ${reader}${whose}: ${msg}`;
  return [head, ...frames].join("\n");
}
