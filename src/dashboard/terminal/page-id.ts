import type { TerminalPlace } from "./facts.ts";

/** The terminal that a page's address names; `undefined` where it names none. */
export function placeIn({
  pathname,
  search,
}: {
  readonly pathname: string;
  readonly search: string;
}): TerminalPlace | undefined {
  const id = idIn(pathname);
  const instance = new URLSearchParams(search).get("instance");
  if (id === undefined || instance === null) return id === undefined ? undefined : { id };
  // The publisher's own may have one of the same id: that is not the one that is meant.
  return /^[0-9a-f]{32}$/.test(instance) ? { id, instance } : undefined;
}

function idIn(pathname: string): string | undefined {
  const part = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    const id = decodeURIComponent(part);
    return /^[a-z][a-z0-9_-]*:./.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
