import { KindGuard, type TObject, type TSchema } from "@sinclair/typebox";
import { interpreted } from "../../contract/validation.ts";

/** How much of a text that was given is repeated, in UTF-16 units. */
const SHOWN = 64;

/** Where an object first differs from its shape, in words; `undefined` where it fits. `at` is the way to it, with a dot
 * at the end, or empty. */
export function faultIn(
  shape: TObject,
  value: Record<string, unknown>,
  at = "",
): string | undefined {
  for (const [name, schema] of Object.entries(shape.properties)) {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (field === undefined && shape.required?.includes(name) !== true) continue;
    const fault = faultOf(schema, field, at + name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(schema: TSchema, value: unknown, name: string): string | undefined {
  if (KindGuard.IsObject(schema) && isObject(value)) return faultIn(schema, value, `${name}.`);
  if (KindGuard.IsArray(schema) && Array.isArray(value) && hasLength(schema, value.length)) {
    for (const [index, item] of value.entries()) {
      const fault = faultOf(schema.items, item, `${name}[${index}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (interpreted(schema).check(value)) return undefined;
  return `${name} must be ${shapeOf(schema)}, got ${given(value)}`;
}

function hasLength({ minItems = 0, maxItems }: TSchema, length: number): boolean {
  return length >= minItems && length <= (maxItems ?? Number.POSITIVE_INFINITY);
}

function shapeOf(schema: TSchema): string {
  const { minimum, maximum } = schema;
  if (KindGuard.IsLiteral(schema)) return JSON.stringify(schema.const);
  if (KindGuard.IsUnion(schema)) return schema.anyOf.map(shapeOf).join(" or ");
  if (KindGuard.IsInteger(schema)) return `an integer${range(minimum, maximum)}`;
  if (KindGuard.IsNumber(schema)) return `a number${range(minimum, maximum)}`;
  if (KindGuard.IsArray(schema)) return `a list of ${lengths(schema)} strings`;
  if (KindGuard.IsBoolean(schema)) return "true or false";
  if (KindGuard.IsString(schema)) return "a string";
  return KindGuard.IsNull(schema) ? "null" : "an object";
}

const lengths = ({ minItems = 0, maxItems }: TSchema) =>
  minItems === 0 ? `at most ${maxItems}` : `${minItems} to ${maxItems}`;

/** The bounds in words, where they are any that a person would meet. */
function range(minimum?: number, maximum?: number): string {
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (isBounded) return ` from ${minimum ?? 0} to ${maximum}`;
  return minimum === undefined || minimum < 0 ? "" : ` of at least ${minimum}`;
}

/** A value in a few words. Only plain ones are repeated: others may be of any size and depth. */
export function given(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") {
    return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
