/** The publisher's endpoint, as this page was reached: whatever prefix a proxy has. `depth`: how many folders below it the
 * page is. */
export function endpointOf(depth: 0 | 1): string {
  return new URL(depth === 0 ? "./" : "../", location.origin + location.pathname).href;
}

/** Where a terminal's own page is. */
export const terminalPage = (endpoint: string, id: string): string =>
  `${endpoint}terminals/${encodeURIComponent(id)}`;
