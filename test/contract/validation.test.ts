import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  ERRORS_SHOWN,
  isValid,
  TerminalElement,
  TerminalsFrame,
  validationErrors,
  validator,
} from "../../src/index.ts";
import { invalidCases, validCases } from "./corpus.ts";
import { standalone, standaloneFile } from "./judges.ts";

describe("a validator", () => {
  test("is compiled at its first use, once", () => {
    const compile = vi.spyOn(TypeCompiler, "Compile");
    const schema: TSchema = Type.Object({ size: Type.Integer() });
    expect(compile).not.toHaveBeenCalled();
    expect(isValid(schema, { size: 1 })).toBe(true);
    expect(validationErrors(schema, { size: "1" })).toHaveLength(1);
    expect(validator(schema)).toBe(validator(schema));
    expect(compile).toHaveBeenCalledTimes(1);
    compile.mockRestore();
  });

  test("passes on a fault of the compiler that is not a refusal of code from text", () => {
    const compile = vi.spyOn(TypeCompiler, "Compile").mockImplementation(() => {
      throw new RangeError("too deep");
    });
    expect(() => validator(Type.Null())).toThrow("too deep");
    compile.mockRestore();
  });

  test("tells a bounded number of faults of a value that has very many", () => {
    const terminals = Array.from({ length: 100_000 }, () => ({ pid: "x" }));
    const frame = {
      ev: "topic",
      topic: "terminals",
      instance: "a".repeat(32),
      data: { terminals },
    };
    const before = performance.now();
    const errors = validationErrors(TerminalsFrame, frame);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(ERRORS_SHOWN);
  });

  test("tells a missing field of the object that lacks it, by its name, once", () => {
    const bare = { instance: "a".repeat(32), id: "pty:1", command: [] };
    expect(validationErrors(TerminalElement, bare)).toEqual([
      { path: "", message: "Expected `state`" },
    ]);
  });

  test("tells the faults of the branch of a union that was meant", () => {
    const instance = "a".repeat(32);
    const paths = (value: unknown) => validationErrors(TerminalElement, value).map((e) => e.path);
    expect(paths({ instance, id: "pty:1", state: "running", command: [], pid: 0 })).toEqual([
      "/pid",
    ]);
    expect(paths({ instance, id: "pty 1", removed: true })).toEqual(["/id"]);
    expect(paths("pty:1")).toEqual([""]);
  });

  test("writes a path as a JSON pointer", () => {
    const schema = Type.Object({ "a/b~c": Type.Integer() });
    expect(validationErrors(schema, { "a/b~c": "x" })[0]?.path).toBe("/a~1b~0c");
  });
});

describe("the standalone validator", () => {
  test("refuses a name that no schema has", () => {
    for (const name of ["Terminals", "constructor", "__proto__", ""]) {
      expect(() => standalone.isValid(name, {})).toThrow(TypeError);
      expect(() => standalone.validationErrors(name, {})).toThrow(/SCHEMA_NAMES/);
    }
  });
});

describe("where code may not be made from text", () => {
  const folder = mkdtempSync(join(tmpdir(), "termtopic-strict-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    await build({
      configFile: false,
      logLevel: "error",
      publicDir: false,
      ssr: { noExternal: true },
      build: {
        ssr: "src/index.ts",
        outDir: folder,
        emptyOutDir: false,
        rolldownOptions: { output: { entryFileNames: "contract.mjs" } },
      },
    });
    const cases = [...validCases, ...invalidCases].filter(({ type }) => type === "TerminalsFrame");
    writeFileSync(
      join(folder, "run.mjs"),
      `import { isValid, TerminalsFrame } from "./contract.mjs";
       import * as standalone from ${JSON.stringify(standaloneFile)};
       let refused;
       try { new Function("return 1")(); } catch (error) { refused = error.name; }
       const cases = ${JSON.stringify(cases.map(({ value }) => JSON.stringify(value)))};
       const verdicts = cases.map(JSON.parse).map((value) => ({
         contract: isValid(TerminalsFrame, value),
         standalone: standalone.isValid("TerminalsFrame", value),
       }));
       console.log(JSON.stringify({ refused, verdicts }));`,
    );
  });

  test("both the contract and the standalone validator give the same answers", () => {
    const flags = ["--disallow-code-generation-from-strings"];
    const out = execFileSync(process.execPath, [...flags, join(folder, "run.mjs")], {
      encoding: "utf8",
    });
    const { refused, verdicts } = JSON.parse(out);
    expect(refused).toBe("EvalError");
    const count = (cases: readonly { type: string }[], fits: boolean) =>
      cases
        .filter(({ type }) => type === "TerminalsFrame")
        .map(() => ({ contract: fits, standalone: fits }));
    expect(verdicts).toEqual([...count(validCases, true), ...count(invalidCases, false)]);
  });
});
