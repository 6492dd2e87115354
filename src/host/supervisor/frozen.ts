/** A value that nobody changes, however deep. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Frozen<Value[Field]> }
    : Value;
