import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../time/clock.ts";

/** How long a cookie lets in after it was made, in milliseconds. Whoever comes back before is given a new one. */
export const COOKIE_MS = 7 * 24 * 60 * 60 * 1_000;

/** What a cookie lets in to: `user` to everything, `look` to look and not to act. */
export type CookieRole = "user" | "look";

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

  /** The role that a `Cookie` header lets in to; `undefined` where none does. */
  roleIn(header: string | undefined): CookieRole | undefined {
    for (const part of (header ?? "").split(";")) {
      const [name, value = ""] = part.trim().split("=", 2);
      if (name !== this.name) continue;
      const role = this.#roleOf(value);
      if (role !== undefined) return role;
    }
    return undefined;
  }

  #roleOf(value: string): CookieRole | undefined {
    const [, role, expiry, seal = ""] = VALUE.exec(value) ?? [];
    if (role !== "user" && role !== "look") return undefined;
    const right = this.#seal(role, `${role}.${expiry}`);
    if (right === undefined) return undefined;
    const given = Buffer.from(seal, "base64url");
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    return Number(expiry) > this.#clock.now() ? role : undefined;
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

/** A key of its own: what is made with it says nothing of the token. */
function keyOf(token: string | undefined): Buffer | undefined {
  if (token === undefined) return undefined;
  return createHash("sha256").update(`termtopic cookie ${token}`).digest();
}
