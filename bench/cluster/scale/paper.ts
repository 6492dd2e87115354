/** Where a table of the paper is kept: between two comments, of which the first names it. */
const PLACE = /(<!-- table: ([a-z]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The names of the tables that a text has places for. */
export const placesIn = (text: string): string[] =>
  Array.from(text.matchAll(PLACE), ([, , name = ""]) => name);

/** The text with these tables in their places. Throws a RangeError at a place whose table there is not. */
export function withTables(text: string, tables: ReadonlyMap<string, string>): string {
  return text.replace(PLACE, (_, before: string, name: string, after: string) => {
    const table = tables.get(name);
    if (table === undefined) {
      throw new RangeError(`Expected a table out of ${[...tables.keys()].join(", ")}, got ${name}`);
    }
    return `${before}${table}\n${after}`;
  });
}
