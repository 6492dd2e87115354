import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  COMMAND_ARGUMENTS,
  COMMAND_BYTES,
  CWD_BYTES,
  NAME_CHARACTERS,
} from "../../src/contract/terminals.ts";
import { isValid, TerminalId } from "../../src/index.ts";
import { boundedCommand, boundedPath, displayText, idPart } from "../../src/sources/text.ts";

/** Text as strangers write it: any character, and more of those that make trouble. */
const text = (size = 600) =>
  fc.string({
    unit: fc.oneof(
      fc.constantFrom("\n", "\t", "\u0000", "\u001b", "\u0085", "\u202e", "\u2066", " ", "😀", "é"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom("\ud83d", "\ude00"),
    ),
    maxLength: size,
  });

const bytesOf = (parts: readonly string[]) =>
  parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);

const charactersOf = (text: string) => [...text].length;

describe("a name or title", () => {
  test("stays as it is when it is within bounds and holds nothing odd", () => {
    for (const fine of [
      "~/src — vim",
      "日本語",
      "👩‍👩‍👧",
      "a\u00a0b",
      "x".repeat(NAME_CHARACTERS),
    ]) {
      expect(displayText(fine)).toBe(fine);
    }
  });

  test("may be as many characters as are stated, however many bytes or units each takes", () => {
    const long = "😀".repeat(NAME_CHARACTERS);
    expect(displayText(long)).toBe(long);
  });

  test("that is longer is cut to what is stated, the ellipsis included", () => {
    expect(displayText("x".repeat(NAME_CHARACTERS + 1))).toBe(
      `${"x".repeat(NAME_CHARACTERS - 1)}…`,
    );
    expect(displayText("😀".repeat(100_000))).toBe(`${"😀".repeat(NAME_CHARACTERS - 1)}…`);
  });

  test.each([
    ["C0", "\u0001"],
    ["a newline", "\n"],
    ["a tab", "\t"],
    ["an escape", "\u001b"],
    ["DEL", "\u007f"],
    ["C1", "\u009b"],
    ["next line", "\u0085"],
    ["a line separator", "\u2028"],
    ["a right-to-left override", "\u202e"],
    ["a first strong isolate", "\u2068"],
    ["a right-to-left mark", "\u200f"],
    ["an Arabic letter mark", "\u061c"],
  ])("loses %s to one space", (_, control) => {
    expect(displayText(`a${control}b`)).toBe("a b");
    expect(displayText(`a${control}${control}b`)).toBe("a b");
    expect(displayText(`${control}a${control}`)).toBe("a");
  });

  test("is unknown where nothing is left of it", () => {
    for (const nothing of [undefined, "", " ", "\n\t", "\u202e \u202c"]) {
      expect(displayText(nothing)).toBeUndefined();
    }
  });

  test("is within bounds, well-formed and clean, whatever it was made of", () => {
    fc.assert(
      fc.property(text(), (text) => {
        const shown = displayText(text) ?? "shown";
        expect(charactersOf(shown)).toBeLessThanOrEqual(NAME_CHARACTERS);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).toBe(shown.trim());
        expect(shown).not.toMatch(/\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u);
        expect(displayText(shown)).toBe(shown);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a command", () => {
  const bounded = (argv: readonly string[]) => {
    const command = boundedCommand(argv);
    expect(command.length).toBeLessThanOrEqual(COMMAND_ARGUMENTS);
    expect(bytesOf(command)).toBeLessThanOrEqual(COMMAND_BYTES);
    return command;
  };

  test("stays as it is up to both bounds, empty arguments and odd characters included", () => {
    for (const argv of [
      [],
      [""],
      ["sh", "-c", "a\nb\u202e", ""],
      Array.from({ length: COMMAND_ARGUMENTS }, () => "x"),
      ["x".repeat(COMMAND_BYTES)],
      ["x".repeat(COMMAND_BYTES - 2), "y", "z"],
      ["é".repeat(COMMAND_BYTES / 2)],
      ["x".repeat(COMMAND_BYTES), "", ""],
    ]) {
      expect(bounded(argv)).toEqual(argv);
    }
  });

  test("of more arguments than are stated ends in an ellipsis", () => {
    const argv = Array.from({ length: COMMAND_ARGUMENTS + 1 }, (_, index) => `${index}`);
    expect(bounded(argv)).toEqual([...argv.slice(0, COMMAND_ARGUMENTS - 1), "…"]);
  });

  test("of more bytes than are stated ends in an ellipsis, and no argument is half", () => {
    expect(bounded(["a", "x".repeat(COMMAND_BYTES), "b"])).toEqual(["a", "…"]);
    expect(bounded(["x".repeat(COMMAND_BYTES + 1)])).toEqual(["…"]);
    expect(bounded(["é".repeat(COMMAND_BYTES / 2), "y"])).toEqual(["…"]);
  });

  test("is the whole argv where that is within both bounds, else the longest part of it that leaves room for an ellipsis", () => {
    const argument = fc.oneof(
      text(4),
      fc.integer({ min: 0, max: 5_000 }).map((n) => "x".repeat(n)),
    );
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 80, size: "max" }), (argv) => {
        const fits = argv.length <= COMMAND_ARGUMENTS && bytesOf(argv) <= COMMAND_BYTES;
        const command = bounded(argv);
        if (fits) {
          expect(command).toEqual(argv);
          return;
        }
        const kept = command.length - 1;
        expect(command).toEqual([...argv.slice(0, kept), "…"]);
        const more = [...argv.slice(0, kept + 1), "…"];
        expect(more.length > COMMAND_ARGUMENTS || bytesOf(more) > COMMAND_BYTES).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a working directory", () => {
  test("is stated up to the bound, in bytes, and left out beyond it", () => {
    const longest = `/${"é".repeat(CWD_BYTES / 2 - 1)}x`;
    expect(boundedPath(longest)).toBe(longest);
    expect(boundedPath(`${longest}y`)).toBeUndefined();
    expect(boundedPath(undefined)).toBeUndefined();
    expect(boundedPath("/a\nb\u202e")).toBe("/a\nb\u202e");
  });
});

describe("a foreign part of an id", () => {
  test("keeps letters, digits, dots, underscores and hyphens, and encodes the rest by its bytes", () => {
    expect(idPart("default")).toBe("default");
    expect(idPart("/tmp/my sockets/é@1%")).toBe("%2Ftmp%2Fmy%20sockets%2F%C3%A9%401%25");
    expect(idPart("a~b!c*d'e(f)")).toBe("a%7Eb%21c%2Ad%27e%28f%29");
  });

  test("comes back by percent-decoding, so two never become one", () => {
    fc.assert(
      fc.property(text(60), (text) => {
        expect(decodeURIComponent(idPart(text))).toBe(text.toWellFormed());
      }),
      { numRuns: 1_000 },
    );
  });

  test("makes an id that the contract takes, and that one URL segment carries", () => {
    fc.assert(
      fc.property(text(60), (text) => {
        const id = `tmux:${idPart(text)}@1.2/3`;
        expect(isValid(TerminalId, id)).toBe(true);
        expect(idPart(text)).toMatch(/^([A-Za-z0-9._-]|%[0-9A-F]{2})*$/);
        expect(decodeURIComponent(encodeURIComponent(id))).toBe(id);
      }),
      { numRuns: 1_000 },
    );
  });
});
