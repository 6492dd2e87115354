import { KindGuard, type TSchema } from "@sinclair/typebox";
import { validationErrors } from "../../../src/contract/validation.ts";
import { HostResponse } from "../../../src/host/supervisor/messages.ts";

/** A schema that takes no field which it does not name, however deep. */
function strict(schema: TSchema): TSchema {
  if (KindGuard.IsObject(schema)) {
    const fields = Object.entries(schema.properties).map(([name, one]) => [name, strict(one)]);
    return { ...schema, properties: Object.fromEntries(fields), ...CLOSED };
  }
  if (KindGuard.IsUnion(schema)) return { ...schema, anyOf: schema.anyOf.map(strict) };
  if (KindGuard.IsArray(schema)) return { ...schema, items: strict(schema.items) };
  return schema;
}

const CLOSED = { additionalProperties: false };
const RESPONSE = strict(HostResponse);

/** What an answer has that its schema does not state, and lacks that it does. */
export const faultsOfAnswer = (answer: unknown) => validationErrors(RESPONSE, answer);
