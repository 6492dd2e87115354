const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Where a link of a terminal leads; `undefined` where that is not for a browser to open. */
export function linkTarget(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return SCHEMES.has(url.protocol) ? url.href : undefined;
}

/** Whether a click asks for a link: programs print links, so a bare click is none. */
export const asksForLink = ({ ctrlKey, metaKey }: MouseEvent): boolean => ctrlKey || metaKey;

/** Opens it apart from this page, which it can neither reach nor learn of. */
export function openLink(text: string): void {
  const target = linkTarget(text);
  if (target !== undefined) window.open(target, "_blank", "noopener,noreferrer");
}
