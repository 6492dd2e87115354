/** Does something once the next frame is drawn; at once where nobody sees the page, for then none is. */
export function afterFrame(act: () => void): void {
  if (document.hidden) act();
  else requestAnimationFrame(() => setTimeout(act));
}
