/** A field that is left out where there is nothing to say: unknown is absent, never `undefined`. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}

/** The fields of which something is known. */
export function defined<T extends object>(fields: T): Defined<T> {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Defined<T>;
}

type Defined<T> = {
  [Field in keyof T as undefined extends T[Field] ? never : Field]: T[Field];
} & {
  [Field in keyof T as undefined extends T[Field] ? Field : never]?: Exclude<T[Field], undefined>;
};
