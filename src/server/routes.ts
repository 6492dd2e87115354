/** What is served, by the last segment of its path. Whatever stands before that is a proxy's prefix, and
 * any is accepted; the page is a path that ends in `/`. */
export const ROUTES = {
  "/ws": "websocket",
  "/healthz": "health",
  "/metrics": "metrics",
  "/session": "session",
  "/": "page",
} as const;

/** What is served by the last two segments: one of many. */
export const COLLECTIONS = {
  "/terminals/": "terminal",
  "/assets/": "asset",
} as const;

export type Route =
  | (typeof ROUTES)[keyof typeof ROUTES]
  | (typeof COLLECTIONS)[keyof typeof COLLECTIONS];

/** What a request asks for. */
export interface Target {
  readonly route: Route;
  /** Which one of a collection, decoded; empty elsewhere. */
  readonly name: string;
  readonly query: URLSearchParams;
}

/** What a request target asks for; `undefined` where nothing is. */
export function targetOf(target: string): Target | undefined {
  const [, path = "", query = ""] = /^([^?#]*)(?:\?([^#]*))?/.exec(target) ?? [];
  const at = path.lastIndexOf("/");
  const last = path.slice(at);
  const rest = { query: new URLSearchParams(query) };
  if (Object.hasOwn(ROUTES, last)) {
    return { route: ROUTES[last as keyof typeof ROUTES], name: "", ...rest };
  }
  const collection = path.slice(path.lastIndexOf("/", at - 1), at + 1);
  if (!Object.hasOwn(COLLECTIONS, collection)) return undefined;
  const name = decoded(last.slice(1));
  if (name === undefined) return undefined;
  return { route: COLLECTIONS[collection as keyof typeof COLLECTIONS], name, ...rest };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
