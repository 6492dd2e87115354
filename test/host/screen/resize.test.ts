import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, modelOf } from "./support.ts";

const lines = (model: ReturnType<typeof modelOf>) =>
  model.capture({ scrollback: 1000, joinWrapped: true }).text;

describe("another size", () => {
  test("loses nothing of the line that the cursor is in", () => {
    const prompt = `$ ${"0123456789".repeat(7)}ab`;
    const model = modelOf({ cols: 80, rows: 24 });
    model.feed(bytesOf(`before\r\n${prompt}`), false);
    model.resize(40, 24);
    expect(lines(model)).toBe(`before\n${prompt}`);
    model.resize(80, 24);
    expect(lines(model)).toBe(`before\n${prompt}`);
  });

  test("keeps the cursor at its character", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "b", " ", "漢"), maxLength: 60 }), {
          maxLength: 12,
        }),
        fc.array(
          fc.record({
            cols: fc.integer({ min: 2, max: 60 }),
            rows: fc.integer({ min: 3, max: 12 }),
          }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        (texts, sizes) => {
          const model = modelOf({ cols: 30, rows: 8 }, 1000);
          model.feed(bytesOf(texts.map((text) => `${text}|`).join("\r\n")), false);
          for (const { cols, rows } of sizes) model.resize(cols, rows);
          const before = lines(model);
          model.feed(bytesOf("^"), false);
          expect(lines(model)).toBe(texts.length === 0 ? "^" : `${before}^`);
          expect(lines(model).split("\n")).toEqual(
            texts
              .map((text, at) => `${text}|${at === texts.length - 1 ? "^" : ""}`)
              .concat(texts.length ? [] : ["^"]),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test("leaves the main screen's cursor at its character below a program on the alternate one", () => {
    const model = modelOf({ cols: 40, rows: 6 });
    model.feed(bytesOf(`one\r\n$ ${"x".repeat(30)}\x1b[?1049h\x1b[Hfull`), false);
    model.resize(20, 6);
    model.resize(17, 5);
    model.feed(bytesOf("\x1b[?1049ly"), false);
    expect(lines(model)).toBe(`one\n$ ${"x".repeat(30)}y`);
  });

  test("does not break lines of the alternate screen anew", () => {
    const model = modelOf({ cols: 20, rows: 4 });
    model.feed(bytesOf(`\x1b[?1049h\x1b[H${"x".repeat(20)}`), false);
    model.resize(10, 4);
    expect(model.capture({ scrollback: 0 }).text).toBe("x".repeat(10));
  });
});
