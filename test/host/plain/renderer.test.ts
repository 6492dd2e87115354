import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OPEN_ROWS } from "../../../src/host/plain/page.ts";
import { MAX_COLS, PlainRenderer } from "../../../src/host/plain/renderer.ts";
import { cuts, inPieces, streams } from "../vt/streams.ts";

const LIMIT = 256 * 1024;

function render(pieces: Iterable<Uint8Array | string>, cols?: number) {
  const renderer = new PlainRenderer(cols === undefined ? { keep: LIMIT } : { cols, keep: LIMIT });
  for (const piece of pieces) renderer.feed(Buffer.from(piece));
  return renderer;
}

const textOf = (output: string, cols?: number) => render([output], cols).text(LIMIT).text;

describe("plain text", () => {
  test.each([
    ["as it is", "plain\r\ntext", "plain\ntext"],
    [
      "with colours left out",
      "\x1b[1;31mred\x1b[0m and \x1b[38;2;1;2;3mmore\x1b[m",
      "red and more",
    ],
    [
      "with strings left out",
      "a\x1b]0;title\x07b\x1b]8;;u\x1b\\c\x1bP$qm\x1b\\d\x1b_x\x1b\\e\x1b^y\x1b\\f",
      "abcdef",
    ],
    ["with C1 controls left out", "a\u009b31mb\u009d0;t\u009cc\u0085d", "abc\nd"],
    ["with controls left out", "a\x00b\x07c\x7fd\x18e", "abcde"],
    ["written over after a carriage return, cell by cell", "abc\rX", "Xbc"],
    ["with a prompt that is drawn again", "$ ls\r\x1b[K$ pwd", "$ pwd"],
    ["with a bar in its last state", "10%\r50%\r100%\r\ndone", "100%\ndone"],
    ["with a bar that erases its line", "working...\x1b[2K\rdone", "done"],
    ["after backspaces", "abcd\b\bX\b\bY", "aYXd"],
    ["with its left part erased", "abcdef\x1b[3G\x1b[1K", "   def"],
    ["after horizontal moves", "abc\x1b[5Cx\x1b[2Dy\x1b[1Gz", "zbc    yx"],
    ["with tabs to each eighth cell", "a\tb\r\n12345678\tc", "a       b\n12345678        c"],
    ["with cells taken out and put in", "abcdef\x1b[2G\x1b[2Pxx\x1b[2G\x1b[3@123", "a123xxf"],
    ["with cells erased", "abcdef\x1b[2G\x1b[3X", "a   ef"],
    ["with a repetition", "ab\x1b[3b", "abbbb"],
    ["with newlines of each convention", "a\nb\r\nc\n\rd\x0be", "a\nb\nc\nd\ne"],
    ["with spaces at its end", "prompt $ ", "prompt $ "],
    ["in line drawing", "\x1b(0lqk\x1b(Bq\x1b)0\x0ex\x0fx", "┌─┐q│x"],
  ])("is %s", (_, output, text) => {
    expect(textOf(output)).toBe(text);
  });

  test.each([
    ["wide characters take two cells", "日本\rab", "ab本"],
    ["half a wide character is a space", "日本\ra", "a 本"],
    ["its second half as well", "日本\x1b[2Gb", " b本"],
    ["erased from its second half too", "日本\x1b[2G\x1b[K", " "],
    ["combining characters take none", "e\u0301x\rab", "ab"],
    ["they join what they follow", "日\u0301e\u0301x\x1b[4GX", "日\u0301e\u0301X"],
    ["emoji with joiners stay together", "👨‍👩‍👧!", "👨‍👩‍👧!"],
    ["a mark at the start of a row joins nothing", "\u0301a", "a"],
  ])("counts by cells: %s", (_, output, text) => {
    expect(textOf(output)).toBe(text);
  });

  test("joins rows that were full, and returns to the start of the last of them", () => {
    expect(textOf("0123456789abc\rX\r\nnext", 10)).toBe("0123456789Xbc\nnext");
    expect(textOf("0123456789\rX", 10)).toBe("X123456789");
    // How readline goes to the next row: a space past the edge, then a carriage return.
    expect(textOf("$ 34567890 \rrest", 10)).toBe("$ 34567890rest");
    expect(textOf("12345678 日本", 10)).toBe("12345678 日本");
    expect(textOf("\x1b[?7l0123456789abc", 10)).toBe("012345678c");
  });

  test("shows rows that are drawn again in their last state", () => {
    const bars = (one: number, two: number) => `\x1b[2K\rone ${one}%\r\n\x1b[2K\rtwo ${two}%\r\n`;
    expect(textOf(`start\r\n${bars(1, 2)}\x1b[2A${bars(50, 60)}\x1b[2A${bars(100, 100)}end`)).toBe(
      "start\none 100%\ntwo 100%\nend",
    );
    expect(textOf("a\r\nb\r\nc\x1b[2A\r\x1b[Jx")).toBe("x");
    expect(textOf("a\r\nb\x1b7\x1b[A!\x1b8?")).toBe("a!\nb?");
  });

  test("takes no row back that is too far up", () => {
    const rows = Array.from({ length: OPEN_ROWS + 1 }, (_, row) => `${row}`);
    const text = textOf(`${rows.join("\r\n")}\x1b[${OPEN_ROWS + 5}F\x1b[KX`);
    expect(text).toBe(["0", "X", ...rows.slice(2)].join("\n"));
  });

  test("begins a new line for a row that is named by number, and for a new screen", () => {
    expect(textOf("text\x1b[3;1Hthree\x1b[3;9Hthree\x1b[4;1Hfour")).toBe(
      "text\nthree   three\nfour",
    );
    expect(textOf("before\r\n\x1b[H\x1b[2Jafter\x1bcreset")).toBe("before\nafter\nreset");
    expect(textOf("$ vim\r\n\x1b[?1049h~\x1b[?1049l$ ")).toBe("$ vim\n~\n$ ");
  });

  test("keeps what is not whole back until it is", () => {
    const renderer = render([Buffer.from("a\u65e5").subarray(0, 2)]);
    expect(renderer.text(LIMIT).text).toBe("a");
    renderer.feed(Buffer.from("\u65e5\x1b[3").subarray(1));
    expect(renderer.text(LIMIT).text).toBe("a\u65e5");
    renderer.feed(Buffer.from("1mb"));
    expect(renderer.text(LIMIT).text).toBe("a\u65e5b");
  });

  test("shows bytes that are no text as the encoding standard does", () => {
    const bytes = fc
      .uint8Array({ maxLength: 80 })
      .map((all) => all.filter((byte) => byte >= 0xa0 || byte === 0x41));
    fc.assert(
      fc.property(bytes, (output) => {
        const closed = Buffer.concat([output, Buffer.from("A")]);
        const expected = new TextDecoder("utf-8", { ignoreBOM: true }).decode(closed);
        fc.pre(![...expected].some((character) => /[\p{M}\p{Cf}]/u.test(character)));
        expect(render([closed]).text(LIMIT).text).toBe(expected);
      }),
    );
  });

  test("is the same whatever pieces the output comes in, and free of controls", () => {
    fc.assert(
      fc.property(
        streams,
        cuts,
        fc.constantFrom(undefined, 1, 2, 20, 80),
        (bytes, lengths, cols) => {
          const whole = render([bytes], cols).text(LIMIT);
          expect(render(inPieces(bytes, lengths), cols).text(LIMIT)).toEqual(whole);
          expect(whole.text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("takes any bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.integer({ min: 1, max: 100 }),
        (bytes, cols) => {
          const { text } = render([bytes], cols).text(LIMIT);
          expect(text.isWellFormed()).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("keeps the last characters and tells exactly how many it left out", () => {
    const renderer = render(["one\r\ntwo\r\nthr\u{1f600}e"]);
    expect(renderer.text(5)).toEqual({ text: "hr\u{1f600}e", truncated: 9 });
    expect(renderer.text(2)).toEqual({ text: "e", truncated: 13 });
    expect(renderer.text(0)).toEqual({ text: "", truncated: 14 });
    for (let line = 0; line < 50_000; line += 1) renderer.feed(Buffer.from(`line ${line}\r\n`));
    const { text, truncated } = renderer.text(100);
    expect(text.endsWith("line 49998\nline 49999\n")).toBe(true);
    expect(text).toHaveLength(100);
    const lines = Array.from({ length: 50_000 }, (_, line) => `line ${line}\n`).join("").length;
    expect(truncated).toBe(14 + lines - 100);
    expect(renderer.text(LIMIT).text).toHaveLength(LIMIT);
  });

  test("goes through a line of 64 MB in slices of which the last cost no more than the first", () => {
    const renderer = render([]);
    const piece = Buffer.alloc(64 * 1024, "x");
    const quarters = [0, 0, 0, 0].map(() => {
      // Processor time: others use the machine.
      const before = process.cpuUsage();
      for (let round = 0; round < 256; round += 1) renderer.feed(piece);
      return process.cpuUsage(before).user;
    });
    const { text, truncated } = renderer.text(LIMIT);
    expect(text).toBe("x".repeat(LIMIT));
    expect(truncated).toBe(64 * 1024 * 1024 - LIMIT);
    expect(quarters[3]).toBeLessThan(5 * Math.max(...quarters.slice(0, 2)));
  });

  test.each([
    ["rows", "\n"],
    ["short rows", "y\r\n"],
    ["marks", "e\u0301\u0301\u0301"],
    ["cells put in", "\x1b[@a\x1b[P"],
    ["jumps to the edge", `\x1b[${MAX_COLS}Gx\x1b[1G\x1b[K`],
    ["moves between rows", "\x1b[99Ax\x1b[99B"],
    ["repetitions", "x\x1b[99999b"],
    ["cleared screens", "x\x1b[2J"],
  ])("stands a flood of %s", (_, what) => {
    const renderer = render([`${"\u0301e".repeat(4_000)}\r`]);
    const flood = Buffer.from(what.repeat(Math.ceil((64 * 1024) / what.length)));
    const began = performance.now();
    for (let round = 0; round < 8; round += 1) renderer.feed(flood);
    expect(renderer.text(LIMIT).text.length).toBeLessThanOrEqual(LIMIT);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
