import { type CheckedDefinition, checkBounds } from "./check.ts";
import type { SavedDefinition } from "./saved.ts";

/** A checked definition as it is written down. */
export function savedDefinition({ definition, place, facts }: CheckedDefinition): SavedDefinition {
  return {
    definition,
    place: place === undefined ? null : { root: place.root, path: place.path },
    facts:
      facts === undefined
        ? null
        : {
            identity: facts.identity,
            size: String(facts.size),
            written_at_ns: String(facts.writtenAt),
            is_folder: facts.isFolder,
          },
  };
}

/** A definition that was written down, with what was found then: what is there now may be what it waits for. Throws a
 * MonitorRefusal where it is not within the bounds. */
export function restoredDefinition({
  definition,
  place,
  facts,
}: SavedDefinition): CheckedDefinition {
  checkBounds(definition);
  return {
    definition,
    ...(place === null ? {} : { place }),
    ...(facts === null
      ? {}
      : {
          facts: {
            identity: facts.identity,
            size: BigInt(facts.size),
            writtenAt: BigInt(facts.written_at_ns),
            isFolder: facts.is_folder,
          },
        }),
  };
}
