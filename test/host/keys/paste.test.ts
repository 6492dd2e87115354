import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pasteBytes, SUBMIT_DELAY_MS, submitWrites } from "../../../src/host/keys/keys.ts";

const marked = { modes: { bracketedPaste: true } };
const paste = (text: string, options: object = {}) => pasteBytes(text, options).toString();

describe("a paste", () => {
  test("is marked for a program that asked for that, and for no other", () => {
    expect(paste("ls -la", marked)).toBe("\x1b[200~ls -la\x1b[201~");
    expect(paste("ls -la")).toBe("ls -la");
    expect(paste("ls -la", { modes: { bracketedPaste: false } })).toBe("ls -la");
  });

  test("cannot be ended by what is in it", () => {
    const whole = (text: string) => `\x1b[200~${text}\x1b[201~`;
    expect(paste("a\x1b[201~rm -rf ~\n", marked)).toBe(whole("arm -rf ~\r"));
    expect(paste("a\x1b[20\x1b[201~1~b", marked)).toBe(whole("a[201~b"));
    expect(paste("a\x9b201~b\x1b[200~c", marked)).toBe(whole("abc"));
    expect(paste("a\x1b\x1b[201~[201~b", marked)).toBe(whole("a[201~b"));
  });

  test("presses no key: control characters are left out, but for tabs and ends of lines", () => {
    const controls = String.fromCharCode(...Array.from({ length: 160 }, (_, code) => code));
    const kept = paste(`${controls}é`);
    expect(kept).toBe(`\t\r\r${controls.slice(32, 127)}é`);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const sent = paste(text, marked);
        const inside = sent.slice("\x1b[200~".length, -"\x1b[201~".length);
        expect(inside).not.toMatch(/[\0-\x08\x0a-\x0c\x0e-\x1f\x7f-\x9f]/);
      }),
    );
  });

  test("ends its lines as Enter does", () => {
    expect(paste("one\ntwo\r\nthree\rfour")).toBe("one\rtwo\rthree\rfour");
  });

  test("of nothing is nothing", () => {
    expect(paste("", marked)).toBe("");
    expect(paste("\x1b\x07", marked)).toBe("");
  });

  test("of a megabyte is one write", () => {
    const text = "x".repeat(1024 * 1024);
    expect(paste(text, marked)).toHaveLength(text.length + 12);
  });
});

describe("a submission", () => {
  const writes = (text: string, options: object = {}) =>
    submitWrites(text, options).map(({ bytes, afterMs }) => [bytes.toString(), afterMs]);

  test("is a paste, and Enter as a write of its own once the program takes it for a key", () => {
    expect(SUBMIT_DELAY_MS).toBeGreaterThanOrEqual(150);
    expect(writes("fix it\nplease", marked)).toEqual([
      ["\x1b[200~fix it\rplease\x1b[201~", 0],
      ["\r", SUBMIT_DELAY_MS],
    ]);
  });

  test("presses Enter once, though the text ends in a line of its own", () => {
    expect(writes("ls\r\n\n")).toEqual([
      ["ls", 0],
      ["\r", SUBMIT_DELAY_MS],
    ]);
  });

  test("of nothing is Enter alone, at once", () => {
    expect(writes("", marked)).toEqual([["\r", 0]]);
    expect(writes("\n")).toEqual([["\r", 0]]);
  });
});
