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
