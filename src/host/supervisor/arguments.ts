import { InvalidArgument } from "./errors.ts";
import { MAX_ACROSS, MAX_CELLS, MAX_PATTERN_BYTES } from "./limits.ts";
import type { ReturnCondition } from "./messages.ts";

/** Refuses a text that is longer than so many bytes, or has a NUL in it. */
export function requireText(name: string, text: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    throw new InvalidArgument(`${name} must be at most ${maxBytes} bytes long, got ${bytes}`);
  }
  if (!text.includes("\0")) return;
  throw new InvalidArgument(`${name} must have no NUL in it, got one at ${text.indexOf("\0")}`);
}

/** What is wrong with a size, in words; undefined where nothing is. */
export function sizeFault(rows: number, columns: number): string | undefined {
  const isAcross = [rows, columns].every((count) => count >= 1 && count <= MAX_ACROSS);
  if (isAcross && rows * columns <= MAX_CELLS) return undefined;
  return `rows and columns must be from 1 to ${MAX_ACROSS} and at most ${MAX_CELLS} cells, got ${rows} and ${columns}`;
}

/** Refuses a condition that nothing could meet. */
export function requireCondition(condition: ReturnCondition): void {
  if (condition.kind === "quiet" && Number(condition.duration_ms) === 0) {
    throw new InvalidArgument("return_when.duration_ms must be at least 1, got 0");
  }
  if (condition.kind !== "match") return;
  if (condition.pattern === "") {
    throw new InvalidArgument("return_when.pattern must have at least 1 byte, got none");
  }
  const bytes = Buffer.byteLength(condition.pattern);
  if (bytes <= MAX_PATTERN_BYTES) return;
  throw new InvalidArgument(
    `return_when.pattern must have at most ${MAX_PATTERN_BYTES} bytes, got ${bytes}`,
  );
}

/** Refuses a wait without an end. Answers milliseconds. */
export function requireCeiling(ceilingMs: number | bigint | null | undefined): number {
  if (ceilingMs != null && ceilingMs > 0) return Number(ceilingMs);
  throw new InvalidArgument(
    `wait_ceiling_ms must be at least 1 for such a wait, got ${ceilingMs ?? "none"}`,
  );
}
