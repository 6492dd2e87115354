const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Whether JSON has more than so many values, without parsing it. Counted are the marks between values, which strings
 * do not have: a text of megabytes is one value and is parsed at once, while as many bytes of empty lists take fifty
 * times as long. */
export function hasMoreParts(json: Uint8Array, limit: number): boolean {
  let parts = 1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at + 1);
    else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
      parts += 1;
      if (parts > limit) return true;
    }
  }
  return false;
}

/** Where the quote is that ends a string, or the end of what there is. */
export function endOfString(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
