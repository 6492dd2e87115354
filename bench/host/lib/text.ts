import { writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";

const MB = 1_000_000;

/** What a file is and what comes out of a terminal in which it is printed as it is. */
export interface Printed {
  readonly path: string;
  readonly bytes: number;
  /** CRC-32. */
  readonly sum: number;
}

/** Numbers that are the same in every run (xorshift). */
function pinnedNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const WORDS =
  "the of build test src/index.ts error warning passed 0x1f 127.0.0.1 größer naïve → ✓ 漢字 done in ms node_modules".split(
    " ",
  );

/** As a build or a test run prints: lines of words, here and there with colours, some wider than a screen. */
export function logText(): string {
  const next = pinnedNumbers(4_711);
  let text = "";
  while (text.length < MB) {
    const words = Array.from({ length: 3 + next(16) }, () => {
      const word = WORDS[next(WORDS.length)] ?? "";
      return next(5) === 0 ? `\x1b[${next(2)};3${next(8)}m${word}\x1b[0m` : word;
    });
    text += `${words.join(" ")}\r\n`;
  }
  return text;
}

/** As a program draws that has the whole screen: pieces of rows, anywhere, in colours. */
export function drawnText(): string {
  const next = pinnedNumbers(815);
  let text = "\x1b[2J";
  while (text.length < MB) {
    const words = Array.from({ length: 1 + next(6) }, () => WORDS[next(WORDS.length)] ?? "");
    const place = `\x1b[${1 + next(24)};${1 + next(70)}H`;
    text += `${place}\x1b[3${next(8)};4${next(8)}m${words.join(" ")}\x1b[0m\x1b[K`;
  }
  return text;
}

/** Writes a text down so often that it is that long. */
export function writePrinted(path: string, text: string, megabytes: number): Printed {
  const once = Buffer.from(text);
  const whole = Buffer.concat(
    Array.from({ length: Math.ceil((megabytes * MB) / once.length) }, () => once),
  );
  writeFileSync(path, whole);
  return { path, bytes: whole.length, sum: crc32(whole) };
}
