import fc from "fast-check";

/** Pieces that terminal output is made of, and that break what reads it carelessly. */
const PIECES = [
  "plain text ",
  "line\r\n",
  "\n",
  "\r",
  "\b\b",
  "\t",
  "ümläut",
  "日本語",
  "e\u0301",
  "👨‍👩‍👧",
  "\u009b31m",
  "\u009d2;c1 title\u009c",
  "\u0085",
  "\x1b[31m",
  "\x1b[0m",
  "\x1b[K",
  "\x1b[1K",
  "\x1b[2J",
  "\x1b[3A",
  "\x1b[2B",
  "\x1b[12G",
  "\x1b[5C",
  "\x1b[5D",
  "\x1b[2P",
  "\x1b[2@",
  "\x1b[3X",
  "\x1b[4;7H",
  "\x1b[?1049h",
  "\x1b[?1049l",
  "\x1b[?2004;1h",
  "\x1b[?1006;1002h",
  "\x1b[>5u",
  "\x1b[<u",
  "\x1b[c",
  "\x1b[6n",
  "\x1b]0;a title ✅\x07",
  "\x1b]2;another\x1b\\",
  "\x1b]8;;http://host/\x1b\\link\x1b]8;;\x1b\\",
  "\x1bP$qm\x1b\\",
  "\x1bPq#0;2;0;0;0~~\x1b\\",
  "\x1b_application\x1b\\",
  "\x1b^private\x1b\\",
  "\x1bXstart\x1b\\",
  "\x1b(0lqk\x1b(B",
  "\x1b7",
  "\x1b8",
  "\x1bc",
  "\x07",
  "\x18",
  "\x1b",
  "\x1b[",
  "\x1b]",
  "\x7f",
  "\x00",
] as const;

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PIECES).map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
);

/** Output of a terminal, some of it damaged. */
export const streams = fc.array(piece, { maxLength: 60 }).map((parts) => Buffer.concat(parts));

/** Ways to cut a stream: lengths that are used one after the other. */
export const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });

/** The bytes in pieces of these lengths, over and over. */
export function* inPieces(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}
