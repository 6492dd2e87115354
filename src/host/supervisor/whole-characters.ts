/** How many of the bytes are before a character at their end that is not whole, in UTF-8. Bytes that begin no character
 * are not waited for. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const at = bytes.length - back;
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return back < lengthOf(byte) && mayGoOn(byte, bytes[at + 1]) ? at : bytes.length;
  }
  return bytes.length;
}

/** The length of the character that a byte begins. */
function lengthOf(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 1;
}

/** Whether the second byte can follow the first: not every one can (RFC 3629, section 4). */
function mayGoOn(first: number, second: number | undefined): boolean {
  if (second === undefined) return true;
  if (first === 0xe0) return second >= 0xa0;
  if (first === 0xed) return second <= 0x9f;
  if (first === 0xf0) return second >= 0x90;
  return first !== 0xf4 || second <= 0x8f;
}
