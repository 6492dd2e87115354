import { readdirSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  DIALECTS,
  type JsonSchema,
  schemaDocuments,
  schemaFile,
  schemaName,
} from "../../scripts/schemas.mjs";
import * as contract from "../../src/index.ts";
import { ERROR_CODES, isValid, OP_NAMES } from "../../src/index.ts";
import { committedDocument, schemaOf, schemas, validCases } from "./corpus.ts";
import { allFields, fieldsOf } from "./fields.ts";

const names = [...schemas.keys()];
const committed = new Map(names.map((name) => [name, committedDocument(name)]));

const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** Every object within a document, the document itself first. */
function* nodes(node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield node as Record<string, unknown>;
  for (const part of Object.values(node)) yield* nodes(part);
}

describe("a schema file", () => {
  test("is what the source says, and no file is left over", () => {
    const generated = schemaDocuments(contract);
    const files = readdirSync("schemas").filter((file) => !Object.hasOwn(DIALECTS, file));
    expect(files.sort()).toEqual([...generated.keys()].map(schemaFile).sort());
    for (const [name, document] of generated) expect(committed.get(name), name).toEqual(document);
  });

  test.each([
    ["TerminalInfo", "TerminalInfo", "terminal-info.json"],
    ["topic:terminals", "TerminalsFrame", "terminals-frame.json"],
    ["topic:session.errors", "SessionErrorsFrame", "session-errors-frame.json"],
    ["hello.user:request", "HelloUserRequest", "hello-user-request.json"],
  ])("of %s is named %s in %s", (id, name, file) => {
    expect(schemaName(id)).toBe(name);
    expect(schemaFile(name)).toBe(file);
  });

  test("states its dialect and an absolute name, and no other name inside", () => {
    for (const [name, document] of committed) {
      expect(document["$schema"]).toBe("https://json-schema.org/draft/2020-12/schema");
      expect(document["$id"]).toBe(`urn:termtopic:${name}`);
      expect([...nodes(document)].filter((node) => "$id" in node)).toHaveLength(1);
    }
  });

  test("stands alone: a strict validator that knows no other file compiles it", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: true, strictRequired: true });
    for (const [name, document] of committed) {
      expect(() => ajv.compile(document), name).not.toThrow();
      ajv.removeSchema(`urn:termtopic:${name}`);
    }
  });

  test("states a shape as that shape's own file does", () => {
    for (const document of committed.values()) {
      for (const [name, shape] of Object.entries((document["$defs"] ?? {}) as JsonSchema)) {
        const { $schema: _, $id: __, $defs: ___, ...own } = committed.get(name) ?? {};
        expect(shape, name).toEqual(own);
      }
    }
  });

  test("uses no `format`, which validators read differently or not at all", () => {
    for (const [name, document] of committed) {
      expect(
        [...nodes(document)].filter((node) => "format" in node),
        name,
      ).toEqual([]);
    }
  });
});

describe("by convention", () => {
  const fields = allFields().map(({ field, schema }) => ({
    name: field.slice(field.lastIndexOf(".") + 1),
    field,
    schema,
  }));

  test("a field is named in snake_case", () => {
    // Views speak as the viewer channel does.
    const ours = fields.filter(({ field }) => !field.startsWith("View"));
    expect(ours.filter(({ name }) => !SNAKE_CASE.test(name))).toEqual([]);
  });

  test("a field that names an instant ends in `_at`, and it alone, in integer milliseconds", () => {
    for (const { name, field, schema } of fields) {
      const isInstant = schema.$id === "Timestamp";
      expect(name.endsWith("_at"), field).toBe(isInstant);
    }
    expect(schemaOf("Timestamp")["type"]).toBe("integer");
    expect(isValid(contract.Timestamp, Date.now())).toBe(true);
  });

  test("no field names an instant in another way", () => {
    const other = /(?:^|_)(?:ts|time|timestamp|date|datetime)$|_(?:ms|secs)_at$/;
    expect(fields.filter(({ name }) => other.test(name))).toEqual([]);
  });

  test("a field that names a duration ends in its unit", () => {
    const duration = /(?:^|_)(?:timeout|interval|period|duration|delay|age|ttl|uptime|lease)$/;
    expect(fields.filter(({ name }) => duration.test(name))).toEqual([]);
  });

  test("a number has bounds, so that none is beyond what readers hold exactly", () => {
    for (const [name, document] of committed) {
      for (const node of nodes(document)) {
        if (node["type"] !== "integer") continue;
        expect(node["minimum"], name).toBeTypeOf("number");
        expect(node["maximum"], name).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
      }
    }
  });

  test("an error code is in snake_case", () => {
    expect(ERROR_CODES.filter((code) => !SNAKE_CASE.test(code))).toEqual([]);
  });

  test("the names of ops and topics are words joined by dots", () => {
    const dotted = /^[a-z]+(?:\.[a-z]+)*$/;
    const topics = Object.keys(contract.TOPIC_ATTRIBUTES);
    expect([...OP_NAMES, ...topics].filter((name) => !dotted.test(name))).toEqual([]);
  });

  test("a field that nobody knows is tolerated wherever an object stands", () => {
    for (const { type, file, value } of validCases) {
      expect(isValid(schemaOf(type), withStrangers(value)), file).toBe(true);
    }
  });

  test("a field that is known is checked wherever it stands", () => {
    for (const { type, file, value } of validCases) {
      for (const { path, schema, stated, decided } of fieldsOf(type, value)) {
        if (!stated || !decided || Object.keys(schema).length === 0) continue;
        const wrong = schema["type"] === "array" || schema["type"] === "object" ? "x" : { x: 1 };
        const changed = replaced(value, path, wrong);
        expect(isValid(schemaOf(type), changed), `${file} ${path.join("/")}`).toBe(false);
      }
    }
  });
});

function withStrangers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withStrangers);
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, withStrangers(part)]);
  return { ...Object.fromEntries(parts), stranger: { deep: [1, null] } };
}

function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((part, index) => (index === head ? replaced(part, rest, by) : part));
  }
  return { ...(value as object), [head]: replaced((value as never)[head], rest, by) };
}
