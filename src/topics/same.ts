/** Whether two JSON values say the same. Written out because every row of every reading is compared
 * with the one published last: it stops at the first difference and makes no text. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameJson(item, b[index]))
    );
  }
  let fields = 0;
  for (const field in a) {
    fields += 1;
    if (!sameJson(a[field as keyof typeof a], b[field as keyof typeof b])) return false;
  }
  for (const _ in b) fields -= 1;
  return fields === 0;
}
