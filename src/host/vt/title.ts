/** What is kept of a title, in bytes of UTF-8. */
export const MAX_TITLE_BYTES = 1024;

const SEMICOLON = 0x3b;

/** Commands 0 and 2 name the window. 1 names its icon, which nobody shows. */
const TITLE_COMMANDS = new Set([0x30, 0x32]);

const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** The title that an operating system command sets: cut at MAX_TITLE_BYTES between two characters, without controls.
 * `undefined` where the command sets none. */
export function titleOf(body: Uint8Array): string | undefined {
  if (body[1] !== SEMICOLON || !TITLE_COMMANDS.has(body[0] ?? 0)) return undefined;
  const title = body.subarray(2);
  return Buffer.from(title.subarray(0, cut(title)))
    .toString("utf8")
    .replace(CONTROLS, "");
}

/** How many bytes are within the bound, no character taken apart. */
function cut(title: Uint8Array): number {
  if (title.length <= MAX_TITLE_BYTES) return title.length;
  let end = MAX_TITLE_BYTES;
  while (end > 0 && ((title[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
