/** Whether two JSON values say the same; a field that is `undefined` says nothing. Written out because
 * every row of every reading is compared with the one published last: it stops at the first difference
 * and makes no text. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return sameLists(a, b);
  return sameFields(a, b);
}

function sameLists(a: object, b: object): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
}

function sameFields(a: object, b: object): boolean {
  let fields = 0;
  for (const field in a) {
    const value = a[field as keyof typeof a];
    if (value === undefined) continue;
    if (!sameJson(value, b[field as keyof typeof b])) return false;
    fields += 1;
  }
  for (const field in b) if (b[field as keyof typeof b] !== undefined) fields -= 1;
  return fields === 0;
}
