/** What one value or property takes beside its text: about what an engine spends on a slot and its box. */
const SLOT_BYTES = 16;

/** About how many bytes of memory a JSON value takes. It walks without recursion: a stranger's value may
 * be nested deeper than the stack. */
export function weigh(value: unknown): number {
  let bytes = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    bytes += SLOT_BYTES;
    if (typeof next === "string") bytes += next.length;
    if (typeof next !== "object" || next === null) continue;
    for (const [key, part] of Object.entries(next)) {
      bytes += Array.isArray(next) ? 0 : key.length;
      waiting.push(part);
    }
  }
  return bytes;
}
