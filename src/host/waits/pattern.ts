/** How long a pattern may be, in bytes of UTF-8. */
export const MAX_PATTERN_BYTES = 4096;

/** What is wrong with a pattern, in words for whoever gave it. */
export class InvalidPattern extends Error {
  override readonly name = "InvalidPattern";
}

/** The regular expression of a wait: multiline, so that `^` and `$` are the ends of lines. Throws InvalidPattern. */
export function patternOf(pattern: string | undefined, ignoreCase = false): RegExp {
  if (pattern === undefined)
    throw new InvalidPattern("A wait for a match needs `pattern`, got none");
  const bytes = Buffer.byteLength(pattern);
  if (bytes > MAX_PATTERN_BYTES) {
    throw new InvalidPattern(
      `\`pattern\` must have at most ${MAX_PATTERN_BYTES} bytes, got ${bytes}`,
    );
  }
  try {
    return new RegExp(pattern, ignoreCase ? "mi" : "m");
  } catch (error) {
    // The engine's words name the pattern and what is wrong with it.
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidPattern(`\`pattern\` must be a regular expression of JavaScript: ${reason}`);
  }
}
