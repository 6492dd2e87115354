import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TerminalPage } from "./page.ts";

/** How long output rests before the text is asked for anew, in milliseconds. */
const RESTED_MS = 400;
const LINES = 500;

/** The terminal as text, for who hears it or takes a piece of it. */
export function Plain({ page }: { readonly page: TerminalPage }) {
  const text = useSignal("");
  const outputs = page.outputs.value;
  useEffect(() => {
    const timer = setTimeout(async () => {
      try {
        const { text: shown } = await page.subscription.terminal.capture(page.id, {
          scrollback: LINES,
        });
        text.value = shown;
      } catch (error) {
        text.value = (error as Error).message;
      }
    }, RESTED_MS);
    return () => clearTimeout(timer);
  }, [page, outputs]);
  useEffect(() => {
    const { screen } = page;
    if (screen !== undefined) screen.isHeard = true;
    return () => {
      if (screen !== undefined) screen.isHeard = false;
    };
  }, [page]);
  return (
    <section class="plain" aria-label="The terminal as text">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys. */}
      <pre tabIndex={0}>{text.value}</pre>
    </section>
  );
}
