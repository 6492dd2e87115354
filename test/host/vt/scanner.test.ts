import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SAFE_POINT_STEP } from "../../../src/host/vt/safe-points.ts";
import { Scanner } from "../../../src/host/vt/scanner.ts";
import { MAX_TITLE_BYTES } from "../../../src/host/vt/title.ts";
import { cuts, inPieces, streams } from "./streams.ts";

function scan(pieces: Iterable<Uint8Array | string>) {
  const told: unknown[] = [];
  const scanner = new Scanner({
    title: (text) => told.push({ title: text }),
    bell: () => told.push("bell"),
    alternate: (isOn) => told.push({ alternate: isOn }),
    modes: (modes) => told.push(modes),
    query: () => told.push("query"),
  });
  for (const piece of pieces) scanner.feed(Buffer.from(piece));
  return { told, scanner };
}

const pointsOf = (scanner: Scanner, end: number) => {
  const found: number[] = [];
  for (let at = scanner.points.after(0); at !== undefined && at <= end; ) {
    found.push(at);
    at = scanner.points.after(at);
  }
  return found;
};

describe("the scanner", () => {
  test("tells the same and keeps the same safe points, whatever pieces the output comes in", () => {
    fc.assert(
      fc.property(streams, cuts, fc.integer({ min: 0, max: 40 }), (stream, lengths, repeat) => {
        const bytes = Buffer.concat(Array.from({ length: repeat + 1 }, () => stream));
        const whole = scan([bytes]);
        const cut = scan(inPieces(bytes, lengths));
        expect(cut.told).toEqual(whole.told);
        expect(pointsOf(cut.scanner, bytes.length)).toEqual(pointsOf(whole.scanner, bytes.length));
        expect(cut.scanner.parser.isGround).toBe(whole.scanner.parser.isGround);
      }),
      { numRuns: 150 },
    );
  });

  test("keeps a safe point in each step, after what is open there", () => {
    const title = `\x1b]0;${"t".repeat(3 * SAFE_POINT_STEP)}\x07`;
    const bytes = Buffer.from(
      `${"x".repeat(SAFE_POINT_STEP - 1)}日${"x".repeat(SAFE_POINT_STEP - 10)}${title}e`,
    );
    const { scanner } = scan([bytes]);
    const afterTitle = bytes.length - 1;
    expect(pointsOf(scanner, bytes.length)).toEqual([SAFE_POINT_STEP + 2, afterTitle]);
    expect(scanner.points.before(afterTitle - 1)).toBe(SAFE_POINT_STEP + 2);
    expect(scanner.points.before(0)).toBe(0);
  });

  test.each([
    ["\x1b]0;both\x07", "both"],
    ["\x1b]2;window\x1b\\", "window"],
    ["\x9d2;eight bits".replace("\x9d", "\u009d").concat("\u009c"), "eight bits"],
    ["\x1b]2;check ✅ mark\x07", "check ✅ mark"],
    ["\x1b]2;clean\u009b31m\u0001up\x07", "clean31mup"],
    ["\x1b]2;two;parts\x07", "two;parts"],
  ])("tells the title that %j sets", (text, title) => {
    expect(scan([text]).told).toEqual([{ title }]);
  });

  test.each([
    "\x1b]1;icon\x07",
    "\x1b]2;given up\x18",
    "\x1b]2;open",
    "\x1bP2;no\x1b\\",
    "\x1b]22;x\x07",
  ])("tells no title of %j", (text) => {
    expect(scan([text]).told).toEqual([]);
  });

  test("cuts a title between characters, and swallows 16 MB of one", () => {
    const { told } = scan([
      "\x1b]2;",
      ...Array.from({ length: 256 }, () => "日".repeat(21_846)),
      "\x07\x07",
    ]);
    const whole = Math.floor(MAX_TITLE_BYTES / 3);
    expect(told).toEqual([{ title: "日".repeat(whole) }, "bell"]);
  });

  test("brings back a title that was put aside", () => {
    const { told } = scan(["\x1b]2;shell\x07\x1b[22;0;0t\x1b]2;vim\x07\x1b[23;0;0t\x1b[23;0;0t"]);
    expect(told).toEqual([{ title: "shell" }, { title: "vim" }, { title: "shell" }]);
  });

  test("tells of bells, but not of one that ends a string", () => {
    expect(scan(["\x07\x1b]8;;x\x07\x1b[3\x071m"]).told).toEqual(["bell", "bell"]);
  });

  test.each(["\x1b[?1049h", "\x1b[?1047h", "\x1b[?47h", "\u009b?1049h"])(
    "knows the alternate screen by %j",
    (on) => {
      const off = on.replace("h", "l");
      expect(scan([on, on, off, off]).told).toEqual([{ alternate: true }, { alternate: false }]);
      expect(scan([on, "\x1bc"]).told).toEqual([{ alternate: true }, { alternate: false }]);
    },
  );

  test("knows what was asked of keyboards and pointers", () => {
    const { scanner } = scan(["\x1b[?1;1004;2004;2031;2026h\x1b=\x1b[?1003;1006h\x1b[>7u"]);
    expect(scanner.modes).toEqual({
      applicationCursor: true,
      applicationKeypad: true,
      bracketedPaste: true,
      focus: true,
      mouse: { tracking: "motion", encoding: "sgr" },
      kittyKeyboard: 7,
      colorSchemeReports: true,
      synchronized: true,
    });
    scanner.feed(Buffer.from("\x1b[?1;2026;1003;1006l\x1b>\x1b[<u"));
    expect(scanner.modes).toMatchObject({
      applicationCursor: false,
      applicationKeypad: false,
      synchronized: false,
      bracketedPaste: true,
      mouse: { tracking: "none", encoding: "plain" },
      kittyKeyboard: 0,
    });
    scanner.feed(Buffer.from("\x1bc"));
    expect(scanner.modes).toMatchObject({ focus: false, bracketedPaste: false });
  });

  test("keeps the flags of the kitty keyboard for each screen", () => {
    const { scanner } = scan(["\x1b[>1u\x1b[>5u\x1b[?1049h"]);
    expect(scanner.modes.kittyKeyboard).toBe(0);
    scanner.feed(Buffer.from("\x1b[=3u\x1b[=4;2u\x1b[=1;3u"));
    expect(scanner.modes.kittyKeyboard).toBe(6);
    scanner.feed(Buffer.from("\x1b[?1049l"));
    expect(scanner.modes.kittyKeyboard).toBe(5);
    scanner.feed(Buffer.from("\x1b[<9u"));
    expect(scanner.modes.kittyKeyboard).toBe(0);
  });

  test.each([
    "\x1b[c",
    "\x1b[>c",
    "\x1b[=c",
    "\x1b[5n",
    "\x1b[6n",
    "\x1b[?6n",
    "\x1b[?2026$p",
    "\x1b[>q",
    "\x1b[?u",
    "\x1b[18t",
    "\x1b]10;?\x07",
    "\x1b]4;1;?\x1b\\",
    "\x1b]50;?\x07",
    "\x1bP$qm\x1b\\",
    "\x1bP+q544e\x1b\\",
    "\x1bZ",
    "\x05",
  ])("knows %j for a question", (text) => {
    expect(scan([text]).told).toEqual(["query"]);
  });

  test.each([
    "\x1b[31m",
    "\x1b]10;#ffffff\x07",
    "\x1b[8;24;80t",
    "\x1b[4 q",
    "\x1b[>4n",
    "\x1b]52;c;YQ==\x07",
    "\x1b[u",
  ])("takes %j for none", (text) => {
    expect(scan([text]).told).toEqual([]);
  });

  test("goes through 64 MiB of text and 16 MiB of an open string in a moment", () => {
    const line = Buffer.from(
      "a line of plain text with \x1b[32mcolour\x1b[0m and ümläuts\r\n".repeat(1_000),
    );
    const { scanner } = scan([]);
    const began = performance.now();
    for (let fed = 0; fed < 64 * 1024 * 1024; fed += line.length) scanner.feed(line);
    scanner.feed(Buffer.from("\x1b]52;c;"));
    for (let round = 0; round < 256; round += 1) scanner.feed(Buffer.alloc(64 * 1024, 0x41));
    // 100 MB/s on a machine that does other things as well would still be within it.
    expect(performance.now() - began).toBeLessThan(4_000);
  });
});
