/** What is served, by the last segment of its path. Whatever stands before that is a proxy's prefix, and
 * any is accepted; the page is a path that ends in `/`. */
export const ROUTES = {
  "/ws": "websocket",
  "/healthz": "health",
  "/metrics": "metrics",
  "/page.js": "script",
  "/page.css": "style",
  "/": "page",
} as const;

export type Route = (typeof ROUTES)[keyof typeof ROUTES];

/** What a request target asks for; the query is not looked at. */
export function routeOf(target: string): Route | undefined {
  const path = target.split(/[?#]/, 1)[0] ?? "";
  const last = path.slice(path.lastIndexOf("/"));
  return Object.hasOwn(ROUTES, last) ? ROUTES[last as keyof typeof ROUTES] : undefined;
}
