import type { Charset, Inside } from "./internals.ts";

const FIRST_FINAL = 0x30;
const LAST_FINAL = 0x7e;
const encoder = new TextEncoder();

/** By which letter each set is designated. A set is the same object in all terminals, which is what they are told apart
 * by. */
const letters = new Map<Charset, string>();

/** Learns the letters on a terminal that nothing was written to yet. */
export function learnCharsets(inside: Inside): void {
  if (letters.size > 0) return;
  for (let code = FIRST_FINAL; code <= LAST_FINAL; code += 1) {
    const letter = String.fromCharCode(code);
    inside._inputHandler.parse(encoder.encode(`\x1b(B\x1b(${letter}`));
    const charset = inside._charsetService._charsets[0];
    if (charset && !letters.has(charset)) letters.set(charset, letter);
  }
  inside._inputHandler.parse(encoder.encode("\x1b(B"));
}

const GROUPS = ["(", ")", "*", "+"] as const;
const SHIFTS = ["\x0f", "\x0e", "\x1bn", "\x1bo"] as const;

/** Makes one set the first and active one, as the cursor is saved with. */
export const designate = (charset: Charset | undefined): string =>
  `\x1b(${(charset && letters.get(charset)) ?? "B"}\x0f`;

/** Sets the four sets, and which of them is active. A restored cursor can make active what none of them is: then the
 * active place takes it. */
export function paintCharsets({ _charsetService: service }: Inside): string {
  const { glevel, charset } = service;
  const sets = GROUPS.map((group, index) => {
    const held = index === glevel ? charset : service._charsets[index];
    return `\x1b${group}${(held && letters.get(held)) ?? "B"}`;
  });
  return sets.join("") + (SHIFTS[glevel] ?? SHIFTS[0]);
}
