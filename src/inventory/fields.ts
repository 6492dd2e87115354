/** What programs and files tell is believed field by field: one that is not as expected counts as not told. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A text that is not empty. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An integer between both bounds, which count. */
export function integerIn(
  fields: Fields,
  name: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const value = fields[name];
  const isFit =
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
  return isFit ? value : undefined;
}

/** The largest size of a terminal in either direction (`struct winsize`). */
const MAX_CELLS = 65_535;

export function cellsIn(fields: Fields, name: string): number | undefined {
  return integerIn(fields, name, 1, MAX_CELLS);
}

export function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

/** The texts of a list; what is none is left out. */
export function textsIn(fields: Fields, name: string): string[] {
  return listIn(fields, name).filter((item) => typeof item === "string");
}

/** What a text says in JSON. `undefined` where it is none, which JSON cannot say. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
