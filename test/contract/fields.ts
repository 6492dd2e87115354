import { KindGuard, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { schemaName } from "../../scripts/schemas.mjs";
import { schemaOf, schemas } from "./corpus.ts";

/** A field of a schema, named by the named schema that it stands in and the way there. */
export interface Field {
  readonly field: string;
  readonly schema: TSchema;
  readonly optional: boolean;
}

/** A field as one value has it. */
export interface FieldInValue extends Field {
  readonly stated: boolean;
  /** Whether nothing but this field's schema decides about it: no union on the way would let the value
   * in by another branch. */
  readonly decided: boolean;
  /** Where it stands in the value. */
  readonly path: readonly (string | number)[];
}

/** Every field of every schema. */
export function allFields(): Field[] {
  const fields = new Map<string, Field>();
  for (const [name, schema] of schemas) collect(name, schema, fields);
  return [...fields.values()];
}

function collect(at: string, schema: TSchema, fields: Map<string, Field>): void {
  if (KindGuard.IsObject(schema)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      const field = `${at}.${name}`;
      fields.set(field, { field, schema: property, optional: isOptional(schema, name) });
      // Shapes with a name have their fields under it, and are in the list themselves.
      if (property.$id === undefined) collect(field, property, fields);
    }
  }
  for (const part of partsOf(schema)) if (part.$id === undefined) collect(at, part, fields);
}

const isOptional = (schema: TSchema, name: string) =>
  !((schema["required"] as string[] | undefined) ?? []).includes(name);

function partsOf(schema: TSchema): TSchema[] {
  if (KindGuard.IsIntersect(schema)) return schema.allOf;
  if (KindGuard.IsUnion(schema)) return schema.anyOf;
  return KindGuard.IsArray(schema) ? [schema.items] : [];
}

/** Every field that a valid value of a schema has a place for, present or not. */
export function fieldsOf(type: string, value: unknown): FieldInValue[] {
  return [...walk(type, schemaOf(type), value, [], true)];
}

function* walk(
  at: string,
  schema: TSchema,
  value: unknown,
  path: readonly (string | number)[],
  decided: boolean,
): Generator<FieldInValue> {
  const owner = schema.$id === undefined ? at : schemaName(schema.$id);
  if (KindGuard.IsObject(schema)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      const stated = Object.hasOwn(value as object, name);
      const field = `${owner}.${name}`;
      const here = [...path, name];
      const optional = isOptional(schema, name);
      yield { field, schema: property, optional, stated, decided, path: here };
      if (!stated) continue;
      yield* walk(field, property, (value as Record<string, unknown>)[name], here, decided);
    }
  } else if (KindGuard.IsArray(schema)) {
    for (const [index, element] of (value as unknown[]).entries()) {
      yield* walk(owner, schema.items, element, [...path, index], decided);
    }
  } else if (KindGuard.IsUnion(schema)) {
    const branches = schema.anyOf.filter((branch) => Value.Check(branch, value));
    for (const branch of branches) {
      yield* walk(owner, branch, value, path, decided && branches.length === 1);
    }
  } else if (KindGuard.IsIntersect(schema)) {
    for (const part of schema.allOf) yield* walk(owner, part, value, path, decided);
  }
}
