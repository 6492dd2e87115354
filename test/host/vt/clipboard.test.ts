import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Scanner } from "../../../src/host/vt/scanner.ts";
import { cuts, inPieces } from "./streams.ts";

/** The output as everybody has it who comes behind the scanner. */
function passed(text: string, lengths: readonly number[] = []): string {
  const scanner = new Scanner({ title() {}, bell() {}, alternate() {}, modes() {}, query() {} });
  const pieces = [...inPieces(Buffer.from(text), lengths)].map((piece) => Buffer.from(piece));
  for (const piece of pieces) scanner.feed(piece);
  return Buffer.concat(pieces).toString();
}

/** What reaches a clipboard, and what is made of it. */
const REACHING: readonly [string, string][] = [
  ["\x1b]52;c;YQ==\x07", "\x1b]529c;YQ==\x07"],
  ["\x1b]52;c;?\x1b\\", "\x1b]529c;?\x1b\\"],
  ["\x1b]52;;YQ==\x1b\\", "\x1b]529;YQ==\x1b\\"],
  ["\u009d52;p;YQ==\u009c", "\u009d529p;YQ==\u009c"],
  ["\x1b]052;c;YQ==\x07", "\x1b]0529c;YQ==\x07"],
  ["\x1b]5\n2;c;YQ==\x07", "\x1b]5\n29c;YQ==\x07"],
  ["\x1b] 52;c;YQ==\x07", "\x1b] 529c;YQ==\x07"],
  ["\x1b]5\u00a02;c;YQ==\x07", "\x1b]5\u00a029c;YQ==\x07"],
  ["\x1b]5522;type=write;YQ==\x07", "\x1b]55229type=write;YQ==\x07"],
  ["\x1b]1337;Copy=:YQ==\x07", "\x1b]1337;Cop9=:YQ==\x07"],
  ["\x1b]1337;CopyToClipboard=\x07", "\x1b]1337;Cop9ToClipboard=\x07"],
  ["\x1b]50;CopyToClipboard=\x07", "\x1b]50;Cop9ToClipboard=\x07"],
  // What tmux and screen hand on to the terminal that they are shown on.
  ["\x1bPtmux;\x1b\x1b]52;c;YQ==\x07\x1b\\", "\x1bPtmux;\x1b\x1b]529c;YQ==\x07\x1b\\"],
  ["\x1bP\x1b]52;c;YQ==\x07\x1b\\", "\x1bP\x1b]529c;YQ==\x07\x1b\\"],
  // What begins one within a string on some terminals only.
  ["\x1b_\u009d52;c;YQ==\x07", "\x1b_\u009d529c;YQ==\x07"],
  ["\x1bPq##\u009d52;c;YQ==\x07", "\x1bPq##\u009d529c;YQ==\x07"],
  ["\x1b]2;日\u009d52;c;YQ==\x07", "\x1b]2;日\u009d529c;YQ==\x07"],
  // One that was given up, and the next.
  ["\x1b]2;a\x18\x1b]5\x18\x1b]52;c;YQ==\x07", "\x1b]2;a\x18\x1b]5\x18\x1b]529c;YQ==\x07"],
];

/** What does not. */
const OTHERS = [
  "\x1b]2;52;c;YQ==\x07",
  "\x1b]8;;https://a.example/52;c\x1b\\52;c;",
  "\x1b]10;?\x07",
  "\x1b]4;52;?\x07",
  "\x1b]152;c;\x07",
  "\x1b]520000000000000000000052;c;\x07",
  "\x1b]5x2;c;\x07",
  "\x1b]1337;SetMark\x07",
  "\x1b]1337;CobaltCopy=\x07",
  "\x1b]50;fixed\x07",
  "\x1b]52",
  "\x1b]5\x18\x1b_2;c;",
  "\x1b]2;\u045d52;c;\x07",
  "]52;c;YQ==",
  "\x1b[52;1H52;c;",
];

describe("a command for the clipboard of whoever looks", () => {
  test.each(REACHING)("%j means nothing", (command, harmless) => {
    expect(passed(`before ${command} after`)).toBe(`before ${harmless} after`);
  });

  test.each(OTHERS)("is not %j, which passes as it is", (text) => {
    expect(passed(text)).toBe(text);
  });

  test("means nothing wherever it is cut, and moves no byte", () => {
    const command = fc.constantFrom(...REACHING, ...OTHERS.map((text) => [text, text] as const));
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), cuts, (commands, lengths) => {
        // Each is ended, so that the next is one.
        const joined = (at: 0 | 1) => commands.map((texts) => texts[at]).join("\x18\r\n");
        expect(passed(joined(0), lengths)).toBe(joined(1));
      }),
      { numRuns: 200 },
    );
  });
});
