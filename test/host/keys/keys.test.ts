import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyBytes } from "../../../src/host/keys/keys.ts";
import type { KeyModes } from "../../../src/host/keys/modes.ts";

const typed = (words: readonly string[], modes?: KeyModes) =>
  keyBytes(words, { literal: false, modes }).toString();

describe("the name of a key", () => {
  test.each([
    ["Enter", "\r"],
    ["Tab", "\t"],
    ["BTab", "\x1b[Z"],
    ["Escape", "\x1b"],
    ["Space", " "],
    ["BSpace", "\x7f"],
    ["DC", "\x1b[3~"],
    ["IC", "\x1b[2~"],
    ["Up", "\x1b[A"],
    ["Down", "\x1b[B"],
    ["Left", "\x1b[D"],
    ["Right", "\x1b[C"],
    ["Home", "\x1b[H"],
    ["End", "\x1b[F"],
    ["PPage", "\x1b[5~"],
    ["PageUp", "\x1b[5~"],
    ["PgUp", "\x1b[5~"],
    ["NPage", "\x1b[6~"],
    ["PageDown", "\x1b[6~"],
    ["PgDn", "\x1b[6~"],
    ["F1", "\x1bOP"],
    ["F4", "\x1bOS"],
    ["F5", "\x1b[15~"],
    ["F11", "\x1b[23~"],
    ["F12", "\x1b[24~"],
    ["KP5", "5"],
    ["KPEnter", "\r"],
    ["C-c", "\x03"],
    ["C-C", "\x03"],
    ["^C", "\x03"],
    ["^c", "\x03"],
    ["^[", "\x1b"],
    ["^^", "\x1e"],
    ["C-^", "\x1e"],
    ["^?", "\x7f"],
    ["C-Space", "\0"],
    ["C-@", "\0"],
    ["C-2", "\0"],
    ["C-/", "\x1f"],
    ["C--", "\x1f"],
    ["C-\\", "\x1c"],
    ["C-1", "1"],
    ["C-é", "é"],
    ["M-x", "\x1bx"],
    ["M-é", "\x1bé"],
    ["M-Enter", "\x1b\r"],
    ["M-BSpace", "\x1b\x7f"],
    ["C-BSpace", "\b"],
    ["M-Up", "\x1b[1;3A"],
    ["S-a", "A"],
    ["S-é", "É"],
    ["S-1", "1"],
    ["S-ß", "ß"],
    ["S-Tab", "\x1b[Z"],
    ["S-Enter", "\r"],
    ["C-Up", "\x1b[1;5A"],
    ["^Up", "\x1b[1;5A"],
    ["S-F1", "\x1b[1;2P"],
    ["C-M-S-PgDn", "\x1b[6;8~"],
    ["S-M-C-PgDn", "\x1b[6;8~"],
    ["C-M-c", "\x1b\x03"],
    ["M-C-c", "\x1b\x03"],
    ["M-M-x", "\x1bx"],
    ["M--", "\x1b-"],
  ])("%s is sent as %j", (name, bytes) => {
    expect(typed([name])).toBe(bytes);
  });

  test.each([
    "enter",
    "ENTER",
    "Enter ",
    " Enter",
    "Return",
    "up",
    "F13",
    "F0",
    "C-",
    "M-",
    "^",
    "C-foo",
    "^foo",
    "c-c",
    "--",
    "-",
    "--C-c",
    "X-a",
    ";",
    "ls;",
    "ls -la ;",
    "Enter;",
    "a",
    "ü",
    "日本",
    "",
    "constructor",
    "__proto__",
    "C-toString",
    "two\nlines\r\n\tand a tab",
  ])("%j is none, and typed as it stands", (text) => {
    expect(typed([text])).toBe(text);
  });

  test("stands between texts that nothing is put between", () => {
    expect(typed(["echo", "Space", "a b", "Enter", "C-c", ";"])).toBe("echo a b\r\x03;");
    expect(typed([])).toBe("");
  });
});

describe("the modes of a program", () => {
  test("give cursor keys their application form, unless they are modified", () => {
    const modes = { applicationCursor: true };
    expect(typed(["Up", "Down", "Right", "Left", "Home", "End"], modes)).toBe(
      "\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF",
    );
    expect(typed(["C-Up"], modes)).toBe("\x1b[1;5A");
    expect(typed(["PPage", "Enter"], modes)).toBe("\x1b[5~\r");
  });

  test("give the keypad its own keys", () => {
    expect(typed(["KP5", "KPEnter", "KP+"], { applicationKeypad: true })).toBe(
      "\x1bOu\x1bOM\x1bOk",
    );
  });

  test("tell keys apart that had one form, and leave all others as they were", () => {
    const modes = { kittyKeyboard: 1 };
    const words = ["Escape", "S-Enter", "C-Enter", "M-Enter", "C-Tab", "S-BSpace", "C-S-Space"];
    expect(words.map((word) => typed([word], modes))).toEqual([
      "\x1b[27u",
      "\x1b[13;2u",
      "\x1b[13;5u",
      "\x1b[13;3u",
      "\x1b[9;5u",
      "\x1b[127;2u",
      "\x1b[32;6u",
    ]);
    const kept = ["C-c", "C-d", "Enter", "Tab", "BTab", "BSpace", "Space", "C-Space", "Up", "x"];
    for (const word of kept) expect(typed([word], modes), word).toBe(typed([word]));
    expect(typed(["Escape"], { kittyKeyboard: 2 })).toBe("\x1b");
  });
});

describe("text", () => {
  test("is never taken for a key where it is literal, and goes out as it is", () => {
    const literal = (words: string[]) => keyBytes(words, { literal: true }).toString();
    expect(literal(["Enter", "C-c", "Space", ";"])).toBe("EnterC-cSpace;");
    expect(literal(["\x03\x1b[A"])).toBe("\x03\x1b[A");
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (words) => {
        expect(literal(words)).toBe(words.join(""));
      }),
    );
  });

  test("has no control characters unless it is literal", () => {
    expect(() => typed(["ls", "a\x1b[A"])).toThrow(
      "keys[1] must be the name of a key or text without control characters, got U+001B in it; name the key, such as C-c, or send it with `literal`",
    );
    expect(() => typed(["\x03"])).toThrow("U+0003");
    expect(() => typed(["\x9b"])).toThrow("U+009B");
    expect(() => typed(["C-\x03"])).toThrow("U+0003");
  });

  test("comes out as it went in, or as a key, or is refused", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!/^(?:\^|[CMS]-)/.test(text) && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/.test(text));
        expect(typed([`${text} ;`])).toBe(`${text} ;`);
      }),
    );
  });
});
