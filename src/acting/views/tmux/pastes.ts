/** The marks around a paste (xterm, "Bracketed Paste Mode"). */
const BEGIN = Buffer.from("\x1b[200~");
const END = Buffer.from("\x1b[201~");

/** A part of what a viewer's terminal sends. */
export interface TypedPart {
  readonly bytes: Buffer;
  readonly isPaste: boolean;
}

/** Tells what a viewer pastes from what it types, by the marks that its terminal puts around a paste. Nothing is held back: a
 * paste that comes in pieces is pasted in pieces. */
export class Pastes {
  #isOpen = false;

  parts(bytes: Buffer): TypedPart[] {
    const parts: TypedPart[] = [];
    let at = 0;
    while (at < bytes.length) {
      const mark = this.#isOpen ? END : BEGIN;
      const found = bytes.indexOf(mark, at);
      const end = found < 0 ? bytes.length : found;
      if (end > at) parts.push({ bytes: bytes.subarray(at, end), isPaste: this.#isOpen });
      if (found < 0) break;
      this.#isOpen = !this.#isOpen;
      at = found + mark.length;
    }
    return parts;
  }
}
