import { describe, expect, test } from "vitest";
import { bytesOf, modelOf } from "./support.ts";

const ASKED = { cols: 80, rows: 24 };

/** What the terminal answers to output, after what came before it. */
function answer(output: string, before = ""): string {
  const model = modelOf(ASKED);
  model.feed(bytesOf(before), false);
  model.takeAnswers();
  model.feed(bytesOf(output), false);
  return model.takeAnswers();
}

describe("a program that asks the terminal", () => {
  test.each([
    ["what it is", "\x1b[c", "", "\x1b[?1;2c"],
    ["which version it is", "\x1b[>c", "", "\x1b[>0;276;0c"],
    ["its name", "\x1b[>q", "", "\x1bP>|termtopic(1.2.3)\x1b\\"],
    ["whether it is well", "\x1b[5n", "", "\x1b[0n"],
    ["where the cursor is", "\x1b[6n", "ab\r\nc", "\x1b[2;2R"],
    ["where a cursor is that waits behind a full row", "\x1b[6n", "x".repeat(80), "\x1b[1;80R"],
    ["where the cursor is in a region", "\x1b[6n", "\x1b[5;9r\x1b[?6h\x1b[2;3H", "\x1b[2;3R"],
    ["where the cursor is, the other way", "\x1b[?6n", "ab", "\x1b[?1;3R"],
    ["the colour scheme", "\x1b[?996n", "", "\x1b[?997;1n"],
    ["for a mode that is off", "\x1b[?2004$p", "", "\x1b[?2004;2$y"],
    ["for a mode that is on", "\x1b[?2004$p", "\x1b[?2004h", "\x1b[?2004;1$y"],
    ["for a mode that xterm.js does not have", "\x1b[?2031$p", "\x1b[?2031h", "\x1b[?2031;1$y"],
    ["for a mode that there is not", "\x1b[?9999$p", "", "\x1b[?9999;0$y"],
    ["for an ANSI mode", "\x1b[4$p", "\x1b[4h", "\x1b[4;1$y"],
    ["for its size in characters", "\x1b[18t", "", "\x1b[8;24;80t"],
    ["for its size in pixels", "\x1b[14t", "", "\x1b[4;384;640t"],
    ["for the size of a character", "\x1b[16t", "", "\x1b[6;16;8t"],
    ["for the attributes", "\x1bP$qm\x1b\\", "", "\x1bP1$r0m\x1b\\"],
    [
      "for attributes that are set",
      "\x1bP$qm\x1b\\",
      "\x1b[1;4:3;31m",
      "\x1bP1$r0;1;4:3;31m\x1b\\",
    ],
    ["for the region", "\x1bP$qr\x1b\\", "\x1b[3;9r", "\x1bP1$r3;9r\x1b\\"],
    ["for the cursor's shape", "\x1bP$q q\x1b\\", "\x1b[5 q", "\x1bP1$r5 q\x1b\\"],
    ["for a setting that there is not", "\x1bP$qrm -rf\x1b\\", "", "\x1bP0$r\x1b\\"],
    ["for the text's colour", "\x1b]10;?\x07", "", "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\"],
    ["for the ground's", "\x1b]11;?\x1b\\", "", "\x1b]11;rgb:0000/0000/0000\x1b\\"],
    ["for the cursor's", "\x1b]12;?\x07", "", "\x1b]12;rgb:d0d0/d0d0/d0d0\x1b\\"],
    [
      "for two colours at once",
      "\x1b]10;?;?\x07",
      "",
      "\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\\x1b]11;rgb:0000/0000/0000\x1b\\",
    ],
    ["for a numbered colour", "\x1b]4;196;?\x07", "", "\x1b]4;196;rgb:ffff/0000/0000\x1b\\"],
    [
      "for a colour that it changed",
      "\x1b]11;?\x07",
      "\x1b]11;#102030\x07",
      "\x1b]11;rgb:1010/2020/3030\x1b\\",
    ],
    [
      "for a colour that it took back",
      "\x1b]4;1;?\x07",
      "\x1b]4;1;rgb:1/2/3\x07\x1b]104;1\x07",
      "\x1b]4;1;rgb:cdcd/0000/0000\x1b\\",
    ],
  ])("%s is told once", (_, question, before, expected) => {
    expect(answer(question, before)).toBe(expected);
  });

  test.each([
    ["the title", "\x1b[21t"],
    ["the icon's name", "\x1b[20t"],
    ["the clipboard", "\x1b]52;c;?\x07"],
    ["the keyboard's flags, which viewers do not have", "\x1b[?u"],
    ["the whole window's size", "\x1b[14;2t"],
    ["what the keyboard sends", "\x05"],
  ])("for %s is told nothing", (_, question) => {
    expect(answer(question, "\x1b]2;rm -rf /\x07")).toBe("");
  });

  test("is told once too when the question came in single bytes", () => {
    const model = modelOf(ASKED);
    for (const byte of bytesOf("\x1b[6n\x1b]11;?\x1b\\\x1bP$qr\x1b\\")) {
      model.feed(Uint8Array.of(byte), false);
    }
    expect(model.takeAnswers()).toBe(
      "\x1b[1;1R\x1b]11;rgb:0000/0000/0000\x1b\\\x1bP1$r1;24r\x1b\\",
    );
  });

  test("is told nothing of what it asked in the past", () => {
    const model = modelOf(ASKED);
    model.feed(bytesOf("\x1b[c\x1b[6n\x1b]10;?\x07\x1b[18t\x1b[>q"), true);
    expect(model.takeAnswers()).toBe("");
    model.freeze();
    model.feed(bytesOf("x"), false);
    expect(model.takeAnswers()).toBe("");
  });

  test("is told of another colour scheme only if it wants to be", () => {
    const model = modelOf(ASKED);
    const light = { foreground: 0, background: 0xffffff, scheme: "light" } as const;
    model.setTheme(light);
    expect(model.takeAnswers()).toBe("");
    model.feed(bytesOf("\x1b[?2031h"), false);
    model.setTheme({ ...light, foreground: 1 });
    expect(model.takeAnswers()).toBe("");
    model.setTheme({ ...light, scheme: "dark" });
    expect(model.takeAnswers()).toBe("\x1b[?997;1n");
  });

  test("without end is answered up to a bound", () => {
    const model = modelOf(ASKED);
    model.feed(bytesOf("\x1b[>q".repeat(16 * 1024)), false);
    expect(model.takeAnswers().length).toBeLessThanOrEqual(64 * 1024);
  });
});
