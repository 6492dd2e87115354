import { describe, expect, test } from "vitest";
import { isShortage, shortageFault, shortageIn, shortageOf } from "../../src/sources/shortage.ts";

describe("an error of the system", () => {
  test.each([
    ["EMFILE", "no_descriptors"],
    ["ENFILE", "no_descriptors"],
    ["EAGAIN", "no_processes"],
    ["ENOMEM", "no_memory"],
    ["EACCES", undefined],
    ["toString", undefined],
    [undefined, undefined],
  ])("%s is a want of ours: %s", (code, shortage) => {
    expect(shortageOf(code)).toBe(shortage);
    expect(shortageIn(Object.assign(new Error("x"), { code }))).toBe(shortage);
  });

  test("says nothing of wants where it is no error", () => {
    expect([shortageIn("EMFILE"), shortageIn(undefined), shortageIn({})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test("a fault for a want of ours says what there is too little of, and is told from those of a place", () => {
  const fault = shortageFault("no_descriptors", "spawn EMFILE");
  expect(fault).toEqual({
    code: "no_descriptors",
    msg: "too many files are open: spawn EMFILE",
  });
  expect([isShortage(fault), isShortage({ code: "no_program", msg: "" })]).toEqual([true, false]);
});
