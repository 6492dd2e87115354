/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What programs print to a terminal, in any order: text of all widths, colours, and whatever moves, erases and scrolls. */
export function hostileOutput(next: () => number): string {
  const upTo = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => list[upTo(list.length)] as T;
  const words = [
    "word",
    "  ",
    "日本",
    "é",
    "e\u0301",
    "─│┌",
    "x".repeat(70),
    "~`@#",
    "ｱ",
    "漢".repeat(31),
  ];
  const parts: (() => string)[] = [
    () => pick(words),
    () => pick(words),
    () => pick(words),
    () => pick(["\r\n", "\n", "\r", "\t", "\b", "\x1bM", "\x1bD", "\x1bE"]),
    () => `\x1b[${upTo(18)};${upTo(64)}H`,
    () =>
      `\x1b[${upTo(5)}${pick(["A", "B", "C", "D", "G", "d", "L", "M", "P", "@", "X", "S", "T"])}`,
    () => `\x1b[${upTo(3)}${pick(["J", "K"])}`,
    () =>
      `\x1b[${pick(["", "1", "3", "4", "7", "22", "24", "27", "31", "92", "44", "103", "39", "49"])}m`,
    () => `\x1b[38;5;${upTo(256)};48;2;${upTo(256)};${upTo(256)};${upTo(256)}m`,
    () => `\x1b[${1 + upTo(8)};${9 + upTo(8)}r`,
    () => `\x1b[?${pick([6, 7, 25])}${pick(["h", "l"])}`,
    () => pick(["\x1b7", "\x1b8", "\x1b[4h", "\x1b[4l", "\x1b(0", "\x1b(B", "\x1b[r", "\x1b[!p"]),
    () => pick(["\x1b[?1049h", "\x1b[?1049l", "\x1b[H\x1b[2J"]),
  ];
  return Array.from({ length: 1 + upTo(60) }, () => pick(parts)()).join("");
}
