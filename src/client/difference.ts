/** Which rows differ between two states of one instance. */
export interface Difference<Row> {
  /** Rows that are new or other than before. */
  readonly changed: Row[];
  /** Rows that are gone, as they were. */
  readonly removed: Row[];
}

/** Compares what was shown with what is to be, under the given keys. A row that is stated again in equal
 * words is no change. */
export function difference<Row>(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
  keys: Iterable<string>,
): Difference<Row> {
  const changed: Row[] = [];
  const removed: Row[] = [];
  for (const key of keys) {
    const was = before.get(key);
    const is = after.get(key);
    if (is === undefined) {
      if (was !== undefined) removed.push(was);
    } else if (!isSame(was, is, DEPTH_COMPARED)) changed.push(is);
  }
  return { changed, removed };
}

/** How deep rows are compared. Those of the contract are two levels deep; a stranger's may be nested
 * deeper than the stack, and count as different below this. */
const DEPTH_COMPARED = 16;

function isSame(one: unknown, other: unknown, depth: number): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || depth === 0) return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(other, key) &&
      isSame(
        (one as Record<string, unknown>)[key],
        (other as Record<string, unknown>)[key],
        depth - 1,
      ),
  );
}
