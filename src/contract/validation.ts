import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Value } from "@sinclair/typebox/value";
import { type ValidationError, validationErrorsOf } from "./faults.ts";

export { ERRORS_SHOWN, type ValidationError } from "./faults.ts";

/** Checks values against one schema. */
export interface Validator<T extends TSchema> {
  /** Whether the value fits. */
  check(value: unknown): value is Static<T>;
  /** Where it does not fit; empty when it does. At most ERRORS_SHOWN. */
  errors(value: unknown): ValidationError[];
}

const validators = new WeakMap<TSchema, Validator<TSchema>>();

/** The validator of a schema, made at its first use and kept as long as the schema. It is compiled
 * where code may be made from text, and interpreted where a content security policy forbids that;
 * both give the same answers. */
export function validator<T extends TSchema>(schema: T): Validator<T> {
  let made = validators.get(schema);
  if (made === undefined) {
    made = compiled(schema) ?? interpreted(schema);
    validators.set(schema, made);
  }
  return made as Validator<T>;
}

/** Whether the value fits the schema. */
export function isValid<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return validator(schema).check(value);
}

/** Where the value does not fit the schema; empty when it does. */
export function validationErrors(schema: TSchema, value: unknown): ValidationError[] {
  return validator(schema).errors(value);
}

/** A validator that makes no code from text, for where that is known to be refused. */
export function interpreted<T extends TSchema>(schema: T): Validator<T> {
  return {
    check: (value): value is Static<T> => Value.Check(schema, value),
    errors: (value) => validationErrorsOf(Value.Errors(schema, value)),
  };
}

function compiled<T extends TSchema>(schema: T): Validator<T> | undefined {
  let check: TypeCheck<T>;
  try {
    check = TypeCompiler.Compile(schema);
  } catch (error) {
    // What a browser throws under a policy without 'unsafe-eval'. Anything else is a fault of ours.
    if (error instanceof EvalError) return undefined;
    throw error;
  }
  return {
    check: (value): value is Static<T> => check.Check(value),
    errors: (value) => validationErrorsOf(check.Errors(value)),
  };
}
