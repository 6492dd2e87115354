import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Clock } from "../time/clock.ts";
import { hostOf, isLoopback } from "./addresses.ts";
import { type CookieLook, type CookieRole, Cookies } from "./cookie.ts";
import { Failures } from "./failures.ts";
import type { Refusal } from "./refusal.ts";
import { SUBPROTOCOL } from "./websocket.ts";

const TOKEN_PROTOCOL = "ccmsg.token.";

/** A `Host` header: name or IPv4 address, or IPv6 address in brackets, and perhaps a port. */
const HOST_HEADER = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

export interface AccessOptions {
  /** By which cookies of this publisher are told from those of others. */
  readonly instance: string;
  readonly token: string;
  /** Lets in to look and not to act. Absent: there is none. */
  readonly readOnlyToken?: string;
  /** What the server was asked to listen on. */
  readonly host: string;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  readonly clock: Clock;
}

/** Decides who is let in over HTTP. Each check answers what stands in the way, or nothing. */
export class Access {
  readonly #token: Buffer;
  readonly #readOnlyToken: Buffer | undefined;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #failures: Failures;
  readonly cookies: Cookies;

  constructor(options: AccessOptions) {
    const { token, readOnlyToken } = options;
    if (readOnlyToken === token) {
      throw new Error("`readOnlyToken` must be another one than `token`, got the same twice");
    }
    this.#token = digest(token);
    this.#readOnlyToken = readOnlyToken === undefined ? undefined : digest(readOnlyToken);
    this.#hosts = new Set([options.host, ...options.allowHosts].map(hostOf));
    this.#origins = new Set(options.allowOrigins.map(requireOrigin));
    this.#failures = new Failures(options.clock);
    const { instance, clock } = options;
    this.cookies = new Cookies({ instance, tokens: { user: token, look: readOnlyToken }, clock });
  }

  /** A name that somebody pointed at this address (DNS rebinding) is refused, so that a foreign page
   * never counts as one of ours. An address that was connected to is no name, so it cannot be pointed
   * anywhere. */
  host(request: IncomingMessage): Refusal | undefined {
    const name = HOST_HEADER.exec((request.headers.host ?? "").toLowerCase())?.[1];
    if (name !== undefined) {
      const host = hostOf(name);
      const { localAddress } = request.socket;
      if (isLoopback(host) || this.#hosts.has(host)) return undefined;
      if (localAddress !== undefined && host === hostOf(localAddress)) return undefined;
    }
    return {
      status: 403,
      reason: "host",
      message: "this name is not one that the publisher answers to; --allow-host NAME lets it in",
    };
  }

  /** A page of another origin is refused. Programs send no Origin; they come as far as the token. */
  origin(request: IncomingMessage): Refusal | undefined {
    const { origin, host } = request.headers;
    if (origin === undefined || this.#origins.has(origin.toLowerCase())) return undefined;
    if (isSameOrigin(origin, host)) return undefined;
    return {
      status: 403,
      reason: "origin",
      message: "pages of this origin may not connect; --allow-origin ORIGIN lets them in",
    };
  }

  /** Whether the request is let in to look and not to act. */
  isReadOnly(request: IncomingMessage): boolean {
    const presented = presentedToken(request);
    const role = presented === undefined ? this.#cookieOf(request) : this.#roleOf(presented);
    return role === "look";
  }

  /** What is right is let in whatever came before it; only what is wrong is counted, so that nobody can
   * lock others out. In place of a token a page of ours has a cookie. */
  token(request: IncomingMessage): Refusal | undefined {
    const presented = presentedToken(request);
    if (presented !== undefined) {
      if (this.#roleOf(presented) !== undefined) return undefined;
      return this.#failed(request, "token", "the token is not this publisher's");
    }
    switch (this.#cookieOf(request)) {
      case "user":
      case "look":
        return undefined;
      case "foreign":
        return unauthorised(
          "foreign_cookie",
          "the cookie lets in this publisher's own pages; who comes from elsewhere needs the token",
        );
      case "expired":
        return unauthorised(
          "expired_cookie",
          "the cookie is older than a week: open the address that `termtopic url` prints",
        );
      case "wrong":
        return this.#failed(
          request,
          "cookie",
          "the cookie was not made with the token that this publisher has now: open the address that `termtopic url` prints",
        );
      default:
        return unauthorised("no_token", "a token is needed: see `termtopic url`");
    }
  }

  #failed(request: IncomingMessage, what: "token" | "cookie", message: string): Refusal {
    const waitMs = this.#failures.add(hostOf(request.socket.remoteAddress ?? ""));
    if (waitMs === 0) return unauthorised(`wrong_${what}`, message);
    return {
      status: 429,
      reason: `${what}_rate`,
      message: "too many wrong tokens and cookies from this address",
      headers: { "Retry-After": String(Math.ceil(waitMs / 1000)) },
    };
  }

  /** Browsers send cookies along whoever asks: only a page of ours is let in by one, and of others' it is not even looked
   * whether it is right. `Origin` says whose page it is on WebSockets, `Sec-Fetch-Site` elsewhere, and no script can set
   * either. */
  #cookieOf({ headers }: IncomingMessage): CookieLook | "foreign" {
    const { origin, host, cookie } = headers;
    const isOurs =
      origin === undefined
        ? headers["sec-fetch-site"] === "same-origin"
        : isSameOrigin(origin, host);
    if (isOurs) return this.cookies.look(cookie);
    return this.cookies.isNamedIn(cookie) ? "foreign" : "none";
  }

  #roleOf(presented: string): CookieRole | undefined {
    const given = digest(presented);
    if (timingSafeEqual(given, this.#token)) return "user";
    const readOnly = this.#readOnlyToken;
    return readOnly !== undefined && timingSafeEqual(given, readOnly) ? "look" : undefined;
  }
}

/** The token that a request presents: as a bearer, or beside the subprotocol, which is all that a
 * browser can set on a WebSocket. Never in the query: that ends up in logs. */
function presentedToken({ headers }: IncomingMessage): string | undefined {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer !== undefined) return bearer;
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((one) => one.trim());
  if (!offered.includes(SUBPROTOCOL)) return undefined;
  return offered.find((one) => one.startsWith(TOKEN_PROTOCOL))?.slice(TOKEN_PROTOCOL.length);
}

function unauthorised(reason: string, message: string): Refusal {
  return { status: 401, reason, message, headers: { "WWW-Authenticate": "Bearer" } };
}

/** Digests are of one length whatever was presented, so comparing them tells nothing by its time. */
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Whether a page of that origin was served under that host. Its scheme is not compared: behind a proxy
 * that speaks TLS we hear the name alone. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.protocol !== "http:" && page.protocol !== "https:") return false;
  const here = `${page.protocol}//${host}`;
  return URL.canParse(here) && new URL(here).host === page.host;
}

/** The origin as a browser spells it. */
function requireOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const web = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === undefined || !web || url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new Error(`\`allowOrigins\` must be origins such as https://name:8443, got "${text}"`);
  }
  return url.origin;
}
