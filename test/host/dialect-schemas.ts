import { readdirSync, readFileSync } from "node:fs";
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { schemaDocuments, schemaFile } from "../../scripts/schemas.mjs";
import { interpreted, isValid, validationErrors } from "../../src/contract/validation.ts";

const root = new URL("../../", import.meta.url);

/** A file of the project, as parsed. */
export const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), "utf8"));

interface Case {
  readonly type: string;
  readonly file: string;
  readonly schema: TSchema;
  readonly json: unknown;
}

/** How the name of a field ends, by how the dialect spells names. */
const SPELLINGS = {
  camelCase: /\.[a-z][A-Za-z]*$/,
  snake_case: /\.[a-z][a-z_]*$/,
} as const;

/** Holds the schemas of a dialect, its schema files and its fixtures against each other. `messages`: the module that has
 * all of its schemas. */
export function testSchemas(
  dialect: "channel" | "supervisor",
  messages: Readonly<Record<string, unknown>>,
  spelling: keyof typeof SPELLINGS,
): void {
  const generated = schemaDocuments(messages, dialect);
  const schemas = new Map<string, TSchema>(
    [...generated.keys()].map((name) => [name, messages[name] as TSchema]),
  );

  function cases(kind: "valid" | "invalid"): Case[] {
    return readdirSync(new URL(`fixtures/${dialect}/${kind}`, root)).flatMap((type) =>
      readdirSync(new URL(`fixtures/${dialect}/${kind}/${type}`, root)).map((name) => {
        const file = `fixtures/${dialect}/${kind}/${type}/${name}`;
        const schema = schemas.get(type);
        if (schema === undefined) throw new Error(`${file} is of no schema`);
        return { type, file, schema, json: readJson(file) };
      }),
    );
  }

  const valid = cases("valid");
  const invalid = cases("invalid").map((one) => {
    const { why, path, value } = one.json as { why: string; path: string; value: unknown };
    return { ...one, why, path, value };
  });

  const ajv = new Ajv2020({ strict: true, strictTypes: true, strictRequired: true });
  for (const name of schemas.keys())
    ajv.addSchema(readJson(`schemas/${dialect}/${schemaFile(name)}`));
  const fitsFile = (type: string, value: unknown) =>
    ajv.validate(`urn:termtopic:${dialect}:${type}`, value);

  describe("a schema of the dialect", () => {
    test("is in a file of its own that says the same, and no file is left over", () => {
      const files = readdirSync(new URL(`schemas/${dialect}`, root)).sort();
      expect(files).toEqual([...generated.keys()].map(schemaFile).sort());
      for (const [name, document] of generated) {
        expect(readJson(`schemas/${dialect}/${schemaFile(name)}`), name).toEqual(document);
      }
    });

    test("accepts every valid case, and so does its file", () => {
      for (const { type, file, schema, json } of valid) {
        expect(validationErrors(schema, json), file).toEqual([]);
        expect(isValid(schema, json), file).toBe(true);
        expect(interpreted(schema).check(json), file).toBe(true);
        expect(fitsFile(type, json), file).toBe(true);
      }
    });

    test("refuses every invalid case at the path that it states, and so does its file", () => {
      for (const { type, file, schema, value, path, why } of invalid) {
        expect(why, file).toMatch(/\w+ \w+/);
        expect(isValid(schema, value), file).toBe(false);
        expect(
          validationErrors(schema, value).map((fault) => fault.path),
          file,
        ).toContain(path);
        expect(fitsFile(type, value), file).toBe(false);
      }
    });

    test("has valid and invalid cases", () => {
      const names = [...schemas.keys()].sort();
      expect([...new Set(valid.map(({ type }) => type))].sort()).toEqual(names);
      expect([...new Set(invalid.map(({ type }) => type))].sort()).toEqual(names);
    });

    test("has each of its fields in a valid case, and one without it where it is optional", () => {
      const present = new Set<string>();
      const absent = new Set<string>();
      for (const { type, schema, json } of valid) {
        for (const [field, isStated] of fieldsOf(type, schema, json)) {
          (isStated ? present : absent).add(field);
        }
      }
      for (const [name, schema] of schemas) {
        for (const [field, isOptional] of allFields(name, schema)) {
          expect(present, field).toContain(field);
          if (isOptional) expect(absent, field).toContain(field);
        }
      }
    });

    test(`names its fields in ${spelling}`, () => {
      const names = [...schemas].flatMap(([name, schema]) => [...allFields(name, schema).keys()]);
      expect(names.filter((field) => !SPELLINGS[spelling].test(field))).toEqual([]);
    });
  });
}

/** A branch of a union by the value that it fixes, so that the same field of two requests is two. */
function branchName(at: string, branch: TSchema): string {
  if (!KindGuard.IsObject(branch)) return at;
  const tags = Object.values(branch.properties).filter((field) => KindGuard.IsLiteral(field));
  return tags.length === 0 ? at : `${at}(${tags.map((tag) => String(tag["const"])).join()})`;
}

function allFields(at: string, schema: TSchema, found = new Map<string, boolean>()) {
  if (KindGuard.IsUnion(schema)) {
    // Shapes with a name have their fields under it.
    for (const branch of schema.anyOf.filter(({ $id }) => $id === undefined)) {
      allFields(branchName(at, branch), branch, found);
    }
  } else if (KindGuard.IsArray(schema)) {
    // Shapes with a name have their fields under it.
    if (schema.items.$id === undefined) allFields(at, schema.items, found);
  } else if (KindGuard.IsObject(schema)) {
    for (const [name, field] of Object.entries(schema.properties)) {
      found.set(`${at}.${name}`, schema.required?.includes(name) !== true);
      if (field.$id === undefined) allFields(`${at}.${name}`, field, found);
    }
  }
  return found;
}

function* fieldsOf(at: string, schema: TSchema, value: unknown): Generator<[string, boolean]> {
  if (KindGuard.IsUnion(schema)) {
    for (const branch of schema.anyOf) {
      if (branch.$id === undefined && isValid(branch, value))
        yield* fieldsOf(branchName(at, branch), branch, value);
    }
  } else if (KindGuard.IsArray(schema)) {
    if (schema.items.$id !== undefined) return;
    for (const item of value as unknown[]) yield* fieldsOf(at, schema.items, item);
  } else if (KindGuard.IsObject(schema)) {
    for (const [name, field] of Object.entries(schema.properties)) {
      const stated = (value as Record<string, unknown>)[name];
      yield [`${at}.${name}`, stated !== undefined];
      if (stated !== undefined && field.$id === undefined) {
        yield* fieldsOf(`${at}.${name}`, field, stated);
      }
    }
  }
}
