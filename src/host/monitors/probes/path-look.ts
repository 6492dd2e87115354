import { type FileFacts, factsOf, foundAt, type Place } from "../places.ts";

/** Looks at a place, again and again. Rejects as `factsOf` does. */
export type PathLook = () => Promise<FileFacts | undefined>;

/** The looks at one place. As long as there is what was there last, or nothing still, no link is followed anew: the answer was
 * within the workspace when it was given first, and it is the same. */
export function pathLook(place: Place): PathLook {
  let last: { readonly facts: FileFacts | undefined } | undefined;
  return async () => {
    if (last !== undefined && isStill(last.facts, await foundAt(place.path))) return last.facts;
    last = undefined;
    const facts = await factsOf(place);
    last = { facts };
    return facts;
  };
}

/** Whether a file is the one that it was, of the same size and not written since; or both are none. */
export function isStill(before: FileFacts | undefined, now: FileFacts | undefined): boolean {
  return (
    now?.identity === before?.identity &&
    now?.size === before?.size &&
    now?.writtenAt === before?.writtenAt
  );
}
