import { CODINGS, type Coding } from "./files.ts";

/** How a body may be coded for who sends that `Accept-Encoding`, the best of it. What is not named is taken by `*` alone, and
 * what has the weight 0 is refused (RFC 9110, 12.5.3). */
export function codingFor(accepted: string | undefined): Coding {
  const named = new Map(
    (accepted ?? "").split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
      const isRefused = parameters.some((one) => /^q=0(\.0*)?$/.test(one));
      return [name, !isRefused];
    }),
  );
  const isTaken = (coding: Coding) => named.get(coding) ?? named.get("*") ?? false;
  return CODINGS.find(isTaken) ?? "identity";
}

/** Whether an `If-None-Match` names that version. Proxies that recode make weak ones of strong ones; either says that what
 * is held is the same (RFC 9110, 13.1.2). */
export function isHeld(held: string | undefined, etag: string): boolean {
  if (held === undefined) return false;
  const tags = held.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag);
}
