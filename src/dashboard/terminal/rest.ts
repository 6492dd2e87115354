import { afterFrame } from "../shared/after-frame.ts";

/** How long a rest is at most, in milliseconds: so that what a busy machine draws late still comes. */
const MOST_MS = 100;

/** Does something once the next frame is drawn and the page has rested for as long as that took: a flood has half of the time,
 * and keys, the program and whatever else draws have the other half. Without a rest where nobody sees the page. */
export function afterRest(act: () => void): void {
  const began = performance.now();
  afterFrame(() => {
    if (document.hidden) act();
    else setTimeout(act, Math.min(MOST_MS, performance.now() - began));
  });
}
