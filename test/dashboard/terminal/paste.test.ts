import fc from "fast-check";
import { expect, test } from "vitest";
import { lookAt } from "../../../src/dashboard/terminal/paste.ts";

test("a line is pasted as it is, without a question", () => {
  expect(lookAt("ls -l ~/a\tb é 漢", false)).toEqual({
    ...{ text: "ls -l ~/a\tb é 漢", removed: 0, lines: 1 },
  });
});

test("several lines are asked about, unless the program is told that they are pasted", () => {
  expect(lookAt("one\ntwo\n", false)).toMatchObject({
    lines: 2,
    doubt: expect.stringMatching(/Enter/),
  });
  expect(lookAt("one\n", false)).toMatchObject({ lines: 1, doubt: expect.stringMatching(/Enter/) });
  expect(lookAt("one\r\ntwo\rthree", true)).toEqual({
    ...{ text: "one\r\ntwo\rthree", removed: 0, lines: 3 },
  });
});

test("what could end the paste or press a key is left out, and counted", () => {
  expect(lookAt("a\x1b[201~\x03b\x7f\x9bc", true)).toMatchObject({ text: "a[201~bc", removed: 4 });
});

test("very much is asked about", () => {
  expect(lookAt("x".repeat(200_000), true).doubt).toMatch(/200000 characters/);
});

test("no control character but tabs and ends of lines is left, whatever is pasted", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.boolean(), (pasted, isBracketed) => {
      const { text, removed } = lookAt(pasted, isBracketed);
      expect(text).not.toMatch(/[^\P{Cc}\t\n\r]/u);
      expect(text.length + removed).toBe(pasted.length);
    }),
  );
});
