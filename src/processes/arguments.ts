import type { Buffer } from "node:buffer";

/** Empty arguments that a program named alone may be followed by before they are taken for
 * padding. */
const MAX_EMPTY_AFTER_NAME = 3;

/** Splits the bytes of `/proc/<pid>/cmdline`: each argument ends with one NUL, so empty ones count.
 *
 * A program that sets its title writes it over its arguments and fills the rest with NULs (libuv,
 * perl, nginx, PostgreSQL), which reads like one argument and dozens of empty ones. No byte tells
 * the two apart, but their shapes do: a title leaves nothing behind the first text, and much of it.
 * So one text followed by more than three empty arguments is a title; fewer, or any text behind the
 * first, are the real arguments. The kernel itself cuts a title that has grown beyond the
 * arguments; that one has no NUL at its end. */
export function splitArguments(bytes: Buffer): string[] {
  if (bytes.length === 0) return [];
  const text = bytes.toString("utf8", 0, bytes.length);
  const parts = (text.endsWith("\0") ? text.slice(0, -1) : text).split("\0");
  const first = parts[0] ?? "";
  const isTitle =
    first !== "" &&
    parts.length > 1 + MAX_EMPTY_AFTER_NAME &&
    parts.every((part, index) => index === 0 || part === "");
  return isTitle ? [first] : parts;
}

/** Splits the bytes of `/proc/<pid>/environ`. Of two entries with one name the first counts, as for
 * getenv(3); what names no variable is left out. */
export function splitEnvironment(bytes: Buffer): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const entry of bytes.toString("utf8", 0, bytes.length).split("\0")) {
    const equals = entry.indexOf("=");
    if (equals < 1) continue;
    const name = entry.slice(0, equals);
    if (!variables.has(name)) variables.set(name, entry.slice(equals + 1));
  }
  return variables;
}

/** Splits a command line that `ps` has joined with spaces. That loses where arguments with spaces
 * ended and all empty ones; only a program file with spaces in its path, known from elsewhere, is
 * kept whole. */
export function splitCommandLine(line: string, program?: string): string[] {
  const text = line.trim();
  if (program?.includes(" ") && (text === program || text.startsWith(`${program} `))) {
    return [program, ...words(text.slice(program.length))];
  }
  return words(text);
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
