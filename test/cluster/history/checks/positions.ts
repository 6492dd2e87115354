import { isDeepStrictEqual } from "node:util";
import type { Ground } from "../ground.ts";
import type { Held, Row } from "../held.ts";
import type { Finding } from "../promises.ts";
import { partsOf } from "./parts.ts";

/** P14 and P15: whoever stands at one position of one instance's rows holds the same, whoever passed it on and however often,
 * down to fields that the one who passed it on does not know. */
export function* positions(ground: Ground): Generator<Finding> {
  const values = new Map<string, { readonly rows: Held["rows"]; readonly reader: string }>();
  for (const { name, part } of partsOf(ground)) {
    for (const { record, after } of part.steps) {
      if (after.isPartial || after.isLost || after.epoch === undefined) continue;
      const key = `${part.topic} ${part.instance} ${after.epoch} ${after.seq}`;
      const first = values.get(key);
      if (first !== undefined) for (const promise of ["P14", "P15"] as const) ground.stake(promise);
      if (first === undefined) values.set(key, { rows: after.rows, reader: name });
      const difference = first === undefined ? undefined : differenceOf(first.rows, after.rows);
      if (first === undefined || difference === undefined) continue;
      const msg = `not what ${first.reader} holds at ${key}: ${difference.msg}`;
      const { at } = record;
      yield { promise: difference.promise, reader: name, at, instance: part.instance, msg };
    }
  }
}

function differenceOf(
  one: Held["rows"],
  other: Held["rows"],
): { promise: "P14" | "P15"; msg: string } | undefined {
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const [left, right] = [one.get(key), other.get(key)];
    if (isDeepStrictEqual(left, right)) continue;
    const isPart = left !== undefined && right !== undefined && isWithin(left, right);
    return {
      promise: isPart ? "P15" : "P14",
      msg: `${JSON.stringify(left)} and ${JSON.stringify(right)}`,
    };
  }
  return undefined;
}

/** Whether one of two rows only lacks fields of the other. */
function isWithin(left: Row, right: Row): boolean {
  const [small, large] = [left, right].sort(
    (one, other) => Object.keys(one).length - Object.keys(other).length,
  );
  return Object.entries(small ?? {}).every(([field, value]) =>
    isDeepStrictEqual(value, large?.[field]),
  );
}
