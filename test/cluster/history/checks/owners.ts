import type { Ground } from "../ground.ts";
import { elementsOf, isGone } from "../held.ts";
import type { Finding } from "../promises.ts";
import { partsOf, rowTruth } from "./parts.ts";

/** P12: nobody but its owner stated a row: each is a terminal that its instance had, and had begun to have. */
export function* owners(ground: Ground): Generator<Finding> {
  for (const { name, part } of partsOf(ground)) {
    if (part.topic !== "terminals") continue;
    for (const { record } of part.steps) {
      for (const element of elementsOf(record.frame)) {
        ground.stake("P12");
        const row = rowTruth(ground, part.instance, element["id"]);
        const isThere = row !== undefined && row.opened.since <= record.at;
        if (isThere || isGone(element)) continue;
        const msg = `the row ${element["id"]}, which ${part.instance} never had`;
        yield { promise: "P12", reader: name, at: record.at, instance: part.instance, msg };
      }
    }
  }
}
