import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameJson } from "../../src/topics/same.ts";

/** JSON text that does not depend on the order of fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  ) ?? "undefined";

describe("two JSON values", () => {
  it("say the same exactly when their texts do", () => {
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(0, 1, "", "a", true, null, undefined),
        fc.array(tie("value"), { maxLength: 3 }).map((list) => list.map((item) => item ?? null)),
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(sameJson(a, b)).toBe(canonical(a) === canonical(b));
        expect(sameJson(a, structuredClone(a))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [{}, []],
    [[], {}],
    [{ a: undefined, b: 1 }, { c: 1 }],
    [{ a: undefined }, { b: 1 }],
  ])("%j and %j differ", (a, b) => {
    expect(sameJson(a, b)).toBe(false);
  });

  it("say the same where a field is undefined in one and absent from the other", () => {
    expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(sameJson({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  });
});
