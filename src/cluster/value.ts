import { type Static, Type } from "@sinclair/typebox";
import { Epoch, Position } from "../contract/envelope.ts";
import { InstanceId, Pid, TerminalId, Timestamp } from "../contract/identifiers.ts";
import { RemovalReason, SourceInfo } from "../contract/sources.ts";
import { validator } from "../contract/validation.ts";
import { compressed, decompressed } from "./compressed.ts";

/** The generation of the values. One of another is refused. */
const GENERATION = 1;

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A row that an instance does not state any more: its id or pid, since when, why, and the position that it went with. */
export const ValueRemoval = Type.Object({
  key: Type.Union([TerminalId, Pid]),
  at: Timestamp,
  reason: RemovalReason,
  seq: Position,
});
export type ValueRemoval = Static<typeof ValueRemoval>;

/** What an instance says of one topic beside its rows. */
export const ValueHead = Type.Object({
  v: Type.Literal(GENERATION),
  instance: InstanceId,
  /** Its host's name, for people. */
  host: Type.String({ minLength: 1, maxLength: 256 }),
  epoch: Epoch,
  seq: Position,
  /** How many bookmarks it has sent its own readers. */
  bookmarks: Count,
  /** Absent while nobody wants its rows: there are none then. */
  polled_at: Type.Optional(Timestamp),
  sources: Type.Optional(Type.Array(SourceInfo, { maxItems: 1_024 })),
  /** The latest. */
  removed: Type.Array(ValueRemoval, { maxItems: 1_024 }),
  /** It has stopped, or comes back at once with another epoch. */
  stopped: Type.Optional(Type.Literal(true)),
  restarting: Type.Optional(Type.Literal(true)),
});
export type ValueHead = Static<typeof ValueHead>;

/** What an instance states of one topic. Rows are not checked here: each stands for itself. */
const Value = Type.Intersect([ValueHead, Type.Object({ rows: Type.Array(Type.Unknown()) })]);
export type Value = Static<typeof Value>;

/** A value that says nothing that can be used. */
export class ValueFault extends Error {}

/** `rows`: each as JSON text. */
export function encodeValue(
  head: Omit<ValueHead, "v">,
  rows: readonly string[],
): Promise<Uint8Array> {
  const text = JSON.stringify({ v: GENERATION, ...head });
  return compressed(`${text.slice(0, -1)},"rows":[${rows.join(",")}]}`);
}

/** Rejects with a ValueFault. */
export async function decodeValue(bytes: Uint8Array): Promise<Value> {
  let value: unknown;
  try {
    value = JSON.parse(await decompressed(bytes));
  } catch (error) {
    throw new ValueFault(`it must be JSON: ${error instanceof Error ? error.message : error}`);
  }
  const check = validator(Value);
  if (check.check(value)) return value;
  const [first] = check.errors(value);
  throw new ValueFault(`${first?.path || "/"}: ${first?.message ?? "it fits no value"}`);
}
