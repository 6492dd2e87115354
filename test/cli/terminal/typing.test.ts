import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DETACH_KEYS, readDetachKeys, Typing } from "../../../src/cli/terminal/typing.ts";

const KEYS = readDetachKeys(DETACH_KEYS);

/** What becomes of pieces that are typed one after the other. */
function typed(pieces: readonly string[], keys = KEYS) {
  const typing = new Typing(keys);
  let passed = "";
  for (const piece of pieces) {
    const { bytes, isDetached } = typing.take(Buffer.from(piece, "latin1"));
    passed += bytes.toString("latin1");
    if (isDetached) return { passed, isDetached };
  }
  return { passed: passed + typing.flush().toString("latin1"), isDetached: false };
}

describe("the keys to leave by", () => {
  test.each([
    ["as bytes", "\x1dd"],
    ["in the protocol of kitty", "\x1b[93;5ud"],
    ["with the keys that are let go", "\x1b[93;5u\x1b[93;5:3u\x1b[100u"],
    ["with Num Lock and the key Ctrl itself", "\x1b[57442;133u\x1b[93;133u\x1b[57442;129:3ud"],
    ["as xterm has other keys", "\x1b[27;5;93~d"],
  ])("are found %s", (_, keys) => {
    const { passed, isDetached } = typed([`before${keys}after`]);
    expect(isDetached).toBe(true);
    expect(passed.replace("\x1b[57442;133u", "")).toBe("before");
    expect(typed([...`before${keys}`]).isDetached).toBe(true);
  });

  test("twice the first of them types it once, and another key after it goes on with it", () => {
    expect(typed(["a\x1d\x1db"])).toEqual({ passed: "a\x1db", isDetached: false });
    expect(typed(["\x1dx", "\x1d", "y"])).toEqual({ passed: "\x1dx\x1dy", isDetached: false });
  });

  test("in a paste are text", () => {
    const paste = "\x1b[200~\x1dd \x1b[?1;2c\x1b[201~";
    expect(typed([paste])).toEqual({ passed: paste, isDetached: false });
    expect(typed([`${paste}\x1dd`])).toEqual({ passed: paste, isDetached: true });
  });

  test("can be others, one alone, or none", () => {
    expect(typed(["a\x01qb"], readDetachKeys("C-A q"))).toEqual({ passed: "a", isDetached: true });
    expect(typed(["a\x1c"], readDetachKeys("C-\\"))).toEqual({ passed: "a", isDetached: true });
    expect(typed(["\x1dd"], readDetachKeys("none"))).toEqual({
      passed: "\x1dd",
      isDetached: false,
    });
    for (const wrong of ["", " ", "C-", "Enter", "M-x", "C-] d d d d", "é"]) {
      expect(() => readDetachKeys(wrong)).toThrow("--detach-keys must be 1 to 4 keys");
    }
  });
});

describe("answers of the terminal", () => {
  test.each([
    "\x1b[?62;22c",
    "\x1b[12;40R",
    "\x1b]11;rgb:0000/0000/0000\x1b\\",
    "\x1bP>|XTerm(390)\x1b\\",
  ])("%j is left to the host, and comes between no two keys to leave by", (answer) => {
    expect(typed([`a${answer}b`]).passed).toBe(`a${answer}b`);
    expect(typed(["a", ...answer, "b"]).passed).toBe(`a${answer}b`);
    expect(typed([`\x1d${answer}d`])).toEqual({ passed: answer, isDetached: true });
  });

  test.each([
    "\x1b[A",
    "\x1bOP",
    "\x1b[1;2R",
    "\x1b[15;5~",
    "\x1b[<0;10;20M",
    "\x1b[I",
    "\x1b[97;5u",
    "\x1b[48;24;80;480;800t",
    "\x1b",
    "\x1bx",
    "\x1b[",
    "\x1b]",
    "é",
  ])("and the key %j pass unchanged", (key) => {
    const bytes = Buffer.from(key).toString("latin1");
    expect(typed([`a${bytes}`])).toEqual({ passed: `a${bytes}`, isDetached: false });
  });
});

test("what has neither in it passes unchanged, however it is cut", () => {
  const piece = fc.oneof(
    fc.constantFrom("\x1b", "\x1b[", "\x1b[A", "\x1b]", "\x1b[1;5C", "\r", "\x03", "\x1b[<35;1;1M"),
    fc.string({ maxLength: 8 }).map((text) => text.replaceAll(/[\x1b\x1d]/g, "")),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.infiniteStream(fc.nat(5)), (parts, cuts) => {
      const text = Buffer.from(parts.join("")).toString("latin1");
      fc.pre(!/\x1b(?:[\]P_]|\[[?>=]|\[[\d;]*[cntRmu])/.test(text.replaceAll(/\x1b\[1;5C/g, "")));
      const pieces: string[] = [];
      for (let at = 0; at < text.length; ) {
        const length = 1 + Number(cuts.next().value);
        pieces.push(text.slice(at, at + length));
        at += length;
      }
      expect(typed(pieces).passed).toBe(text);
    }),
  );
});

test("a string that has no end is let go on, and holds no memory", () => {
  const typing = new Typing(KEYS);
  const long = Buffer.from(`\x1b]52;c;${"A".repeat(70_000)}`);
  expect(typing.take(long).bytes.equals(long)).toBe(true);
  expect(typing.isUnfinished).toBe(false);
});
