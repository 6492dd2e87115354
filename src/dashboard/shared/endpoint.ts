import { ownInstance } from "./own-instance.ts";

/** The publisher's endpoint, as this page was reached: whatever prefix a proxy has. `depth`: how many folders below it the
 * page is. */
export function endpointOf(depth: 0 | 1): string {
  return new URL(depth === 0 ? "./" : "../", location.origin + location.pathname).href;
}

/** Where a terminal's own page is. That of another instance is named with its instance: two may have terminals of one id. */
export function terminalPage(
  endpoint: string,
  { id, instance = ownInstance.value }: { readonly id: string; readonly instance?: string },
): string {
  const query = instance === ownInstance.value ? "" : `?instance=${instance}`;
  return `${endpoint}terminals/${encodeURIComponent(id)}${query}`;
}
