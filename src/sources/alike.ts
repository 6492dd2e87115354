/** Whether two things say the same, field by field. A list in a field counts by what is in it. */
export function areAlike(a: object, b: object): boolean {
  const fields = Object.keys(a);
  if (fields.length !== Object.keys(b).length) return false;
  return fields.every((field) => isSame(Reflect.get(a, field), Reflect.get(b, field)));
}

function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
