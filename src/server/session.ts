import type { IncomingMessage } from "node:http";
import type { Access } from "./access.ts";
import type { Refusal } from "./refusal.ts";

/** What a page is answered about its session, and the cookie that goes with it. */
export interface SessionAnswer {
  readonly body: { readonly read_only?: boolean };
  readonly headers: Readonly<Record<string, string>>;
}

/** The session of a page, for a request that was let in: by its token it gets a cookie in place of that, by its cookie a
 * new one, and with `DELETE` the browser forgets it. */
export function sessionAnswer(access: Access, request: IncomingMessage): SessionAnswer {
  if (request.method === "DELETE") return { body: {}, headers: forgetting(access, request) };
  const isReadOnly = access.isReadOnly(request);
  const role = isReadOnly ? "look" : "user";
  const cookie = access.cookies.issue(role, pathOf(request), isSecure(request));
  return { body: { read_only: isReadOnly }, headers: { "Set-Cookie": cookie } };
}

/** Why a cookie lets in no more, whoever sends it. */
const SPENT: ReadonlySet<string> = new Set(["expired_cookie", "wrong_cookie", "cookie_rate"]);

/** The first thing that stands in the way of a session. A cookie that lets in no more is forgotten with that, or every
 * further try of its page would count against the address. */
export function sessionRefusal(access: Access, request: IncomingMessage): Refusal | undefined {
  const refusal = access.origin(request) ?? access.token(request);
  if (refusal === undefined || !SPENT.has(refusal.reason)) return refusal;
  return { ...refusal, headers: { ...refusal.headers, ...forgetting(access, request) } };
}

const forgetting = ({ cookies }: Access, request: IncomingMessage) => ({
  "Set-Cookie": cookies.forget(pathOf(request), isSecure(request)),
});

/** Everything beside the session: the page, its WebSockets and its terminals. A prefix that a proxy takes away is unknown
 * here; then the cookie is for all of the host. */
const pathOf = ({ url = "/" }: IncomingMessage): string => {
  const [path = "/"] = url.split(/[?#]/, 1);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  // What a cookie's path cannot hold, or could be taken for another attribute, is nobody's prefix.
  return /^[\w\-./~%]+$/.test(folder) ? folder : "/";
};

/** A page's own requests to read carry no origin; a proxy may say how they came. */
const isSecure = ({ headers }: IncomingMessage): boolean =>
  headers.origin?.startsWith("https:") ?? headers["x-forwarded-proto"] === "https";
