import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../time/clock.ts";

/** How long a cookie lets in after it was made, in milliseconds. Whoever comes back before is given a new one. */
export const COOKIE_MS = 7 * 24 * 60 * 60 * 1_000;

/** What a cookie lets in to: `user` to everything, `look` to look and not to act. */
export type CookieRole = "user" | "look";

/** What a `Cookie` header says of who sends it.
 *
 * - `none`: it has no cookie of this publisher.
 * - `wrong`: it has one that was not made here, or by a token that is not in use any more, or was changed since.
 * - `expired`: it has one that was right for COOKIE_MS. */
export type CookieLook = CookieRole | "none" | "wrong" | "expired";

export interface CookiesOptions {
  /** Cookies are shared by all ports of a host, so the name says whose it is. */
  readonly instance: string;
  /** The token by which each role is let in; its cookies end with it. */
  readonly tokens: Readonly<Record<CookieRole, string | undefined>>;
  readonly clock: Clock;
}

const VALUE = /^(user|look)\.(\d{1,15})\.([A-Za-z0-9_-]{43})$/;

/** Cookies by which pages of this publisher are let in, in place of the token: no script can read them. Nothing of them is
 * kept here, so they outlive a restart. */
export class Cookies {
  readonly name: string;
  readonly #clock: Clock;
  readonly #keys: Readonly<Record<CookieRole, Buffer | undefined>>;

  constructor({ instance, tokens, clock }: CookiesOptions) {
    this.name = `termtopic_${instance.slice(0, 8)}`;
    this.#clock = clock;
    this.#keys = { user: keyOf(tokens.user), look: keyOf(tokens.look) };
  }

  /** A cookie for that role, as a `Set-Cookie` header. `path`: below which it is sent. `isSecure`: over TLS alone. */
  issue(role: CookieRole, path: string, isSecure: boolean): string {
    const claim = `${role}.${this.#clock.now() + COOKIE_MS}`;
    const value = `${claim}.${this.#seal(role, claim)?.toString("base64url")}`;
    return this.#header(value, path, isSecure, COOKIE_MS / 1_000);
  }

  /** What makes the browser forget it. */
  forget(path: string, isSecure: boolean): string {
    return this.#header("", path, isSecure, 0);
  }

  /** Whether a `Cookie` header has a cookie of this publisher, right or wrong. */
  isNamedIn(header: string | undefined): boolean {
    return valuesIn(header, this.name).length > 0;
  }

  /** Of several cookies, as a browser has them that came by several paths, one that lets in is enough. */
  look(header: string | undefined): CookieLook {
    let fault: CookieLook = "none";
    for (const value of valuesIn(header, this.name)) {
      const look = this.#lookAt(value);
      if (look === "user" || look === "look") return look;
      if (fault !== "expired") fault = look;
    }
    return fault;
  }

  #lookAt(value: string): Exclude<CookieLook, "none"> {
    const [, role, expiry, seal = ""] = VALUE.exec(value) ?? [];
    if (role !== "user" && role !== "look") return "wrong";
    const right = this.#seal(role, `${role}.${expiry}`);
    if (right === undefined) return "wrong";
    const given = Buffer.from(seal, "base64url");
    if (given.length !== right.length || !timingSafeEqual(given, right)) return "wrong";
    return Number(expiry) > this.#clock.now() ? role : "expired";
  }

  #seal(role: CookieRole, claim: string): Buffer | undefined {
    const key = this.#keys[role];
    return key === undefined ? undefined : createHmac("sha256", key).update(claim).digest();
  }

  #header(value: string, path: string, isSecure: boolean, seconds: number): string {
    const attributes = [
      `${this.name}=${value}`,
      `Path=${path}`,
      `Max-Age=${seconds}`,
      "HttpOnly",
      "SameSite=Strict",
      ...(isSecure ? ["Secure"] : []),
    ];
    return attributes.join("; ");
  }
}

function valuesIn(header = "", name: string): string[] {
  return header.split(";").flatMap((part) => {
    const [named, value = ""] = part.trim().split("=", 2);
    return named === name ? [value] : [];
  });
}

/** A key of its own: what is made with it says nothing of the token. */
function keyOf(token: string | undefined): Buffer | undefined {
  if (token === undefined) return undefined;
  return createHash("sha256").update(`termtopic cookie ${token}`).digest();
}
