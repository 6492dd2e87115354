const SCHEME = "pty:";

/** The id of a terminal of the host as lists of terminals have it. */
export const ptyRowId = (id: string): string => SCHEME + encodeURIComponent(id);

/** The id that a row has at the host; `undefined` for the row of another scheme. */
export function hostIdIn(row: string): string | undefined {
  if (!row.startsWith(SCHEME)) return undefined;
  try {
    return decodeURIComponent(row.slice(SCHEME.length));
  } catch {
    return undefined;
  }
}
