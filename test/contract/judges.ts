import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll } from "vitest";
import { buildValidate } from "../../scripts/validate.mjs";
import { interpreted, isValid, type ValidationError, validationErrors } from "../../src/index.ts";
import { committedDocument, schemaOf, schemas } from "./corpus.ts";

/** One way of telling whether a value fits a schema. */
export interface Judge {
  readonly name: string;
  fits(type: string, value: unknown): boolean;
  errors(type: string, value: unknown): readonly ValidationError[];
}

const compiledJudge: Judge = {
  name: "the compiled validator",
  fits: (type, value) => isValid(schemaOf(type), value),
  errors: (type, value) => validationErrors(schemaOf(type), value),
};

const interpretedJudge: Judge = {
  name: "the interpreted validator",
  fits: (type, value) => interpreted(schemaOf(type)).check(value),
  errors: (type, value) => interpreted(schemaOf(type)).errors(value),
};

const ajv = new Ajv2020({
  strict: true,
  strictTypes: true,
  strictTuples: true,
  strictRequired: true,
  allErrors: true,
});
// Added one at a time and found by their `$id`, as a program of somebody else's would.
for (const type of schemas.keys()) ajv.addSchema(committedDocument(type));

function ajvCheck(type: string): ValidateFunction {
  const check = ajv.getSchema(`urn:termtopic:${type}`);
  if (check === undefined) throw new Error(`no schema file has the $id urn:termtopic:${type}`);
  return check as ValidateFunction;
}

const ajvJudge: Judge = {
  name: "ajv on the schema files",
  fits: (type, value) => ajvCheck(type)(value),
  errors(type, value) {
    const check = ajvCheck(type);
    if (check(value)) return [];
    return (check.errors ?? []).map(({ instancePath, message }) => ({
      path: instancePath,
      message: message ?? "",
    }));
  },
};

/** `termtopic/validate` as it is published. */
export type Standalone = {
  readonly SCHEMA_NAMES: readonly string[];
  isValid(name: string, value: unknown): boolean;
  validationErrors(name: string, value: unknown): ValidationError[];
};

async function buildStandalone(): Promise<{ module: Standalone; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), "termtopic-validate-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  await buildValidate(folder);
  const file = join(folder, "validate.js");
  return { module: await import(/* @vite-ignore */ pathToFileURL(file).href), file };
}

export const { module: standalone, file: standaloneFile } = await buildStandalone();

const standaloneJudge: Judge = {
  name: "the standalone validator",
  fits: (type, value) => standalone.isValid(type, value),
  errors: (type, value) => standalone.validationErrors(type, value),
};

/** Those that tell faults apart in the same way: one fault, one path. */
export const ownJudges: readonly Judge[] = [compiledJudge, interpretedJudge, standaloneJudge];

/** All four. ajv tells the faults of every branch of a union. */
export const judges: readonly Judge[] = [...ownJudges, ajvJudge];
