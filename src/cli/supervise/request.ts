import { text as readAll } from "node:stream/consumers";
import type { TSchema } from "@sinclair/typebox";
import { validationErrors, validator } from "../../contract/validation.ts";
import { MonitorDefinition } from "../../host/supervisor/messages.ts";
import { OPERATIONS, type Operation } from "../../host/supervisor/operation.ts";
import { messageOf, UsageError } from "../failure.ts";

/** The operation that JSON states, or the program's input for `-`. It need not say its action again. Throws a UsageError where
 * it is none. */
export async function requestIn<Action extends keyof typeof OPERATIONS>(
  action: Action,
  request: string,
): Promise<Operation<Action>> {
  const value = parsed("--request", request === "-" ? await readAll(process.stdin) : request);
  const whole = isObject(value) ? { action, ...value } : value;
  const schema: TSchema = OPERATIONS[action];
  if (isOf(action, whole)) return whole;
  throw new UsageError(`--request must be a request of ${action}${faultIn(schema, whole)}`);
}

/** The definition of a monitor that JSON states. */
export function definitionIn(option: string, json: string): MonitorDefinition {
  const value = parsed(option, json);
  if (validator(MonitorDefinition).check(value)) return value;
  throw new UsageError(
    `${option} must be a definition of a monitor${faultIn(MonitorDefinition, value)}`,
  );
}

function parsed(option: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${option} must be JSON: ${messageOf(error)}`);
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isOf = <Action extends keyof typeof OPERATIONS>(
  action: Action,
  value: unknown,
): value is Operation<Action> => validator<TSchema>(OPERATIONS[action]).check(value);

function faultIn(schema: TSchema, value: unknown): string {
  const [fault] = validationErrors(schema, value);
  return fault === undefined ? "" : `: ${`${fault.path} ${fault.message}`.trim()}`;
}
