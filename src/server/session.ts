import type { IncomingMessage } from "node:http";
import type { Access } from "./access.ts";

/** What a page is answered about its session, and the cookie that goes with it. */
export interface SessionAnswer {
  readonly body: { readonly read_only?: boolean };
  readonly headers: Readonly<Record<string, string>>;
}

/** The session of a page, for a request that was let in: by its token it gets a cookie in place of that, by its cookie a
 * new one, and with `DELETE` the browser forgets it. */
export function sessionAnswer(access: Access, request: IncomingMessage): SessionAnswer {
  const { cookies } = access;
  const path = pathOf(request.url ?? "");
  const isSecure = request.headers.origin?.startsWith("https:") ?? wasSecure(request);
  if (request.method === "DELETE") {
    return { body: {}, headers: { "Set-Cookie": cookies.forget(path, isSecure) } };
  }
  const isReadOnly = access.isReadOnly(request);
  const cookie = cookies.issue(isReadOnly ? "look" : "user", path, isSecure);
  return { body: { read_only: isReadOnly }, headers: { "Set-Cookie": cookie } };
}

/** Everything beside the session: the page, its WebSockets and its terminals. A prefix that a proxy takes away is unknown
 * here; then the cookie is for all of the host. */
const pathOf = (target: string): string => {
  const path = target.split(/[?#]/, 1)[0] ?? "/";
  return /^[\w\-./~%]*\/$/.test(path.slice(0, path.lastIndexOf("/") + 1))
    ? path.slice(0, path.lastIndexOf("/") + 1)
    : "/";
};

/** A page's own requests to read carry no origin; a proxy may say how they came. */
const wasSecure = ({ headers }: IncomingMessage): boolean =>
  headers["x-forwarded-proto"] === "https";
