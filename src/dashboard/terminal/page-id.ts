/** The instance of the terminal, where the page names one: it is not the publisher's own. */
export function instanceIn(search: string): string | undefined {
  const instance = new URLSearchParams(search).get("instance");
  return instance !== null && /^[0-9a-f]{32}$/.test(instance) ? instance : undefined;
}

/** The terminal that a page's path names; `undefined` where it names none. */
export function idIn(pathname: string): string | undefined {
  const part = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    const id = decodeURIComponent(part);
    return /^[a-z][a-z0-9_-]*:./.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
