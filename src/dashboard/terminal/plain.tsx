import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Line, numbered } from "./lines.ts";
import type { TerminalPage } from "./page.ts";

/** How often the text is asked for anew while something is printed, in milliseconds: who hears it is told often enough, and
 * a terminal that never rests is told of too. */
const AGAIN_MS = 500;
const LINES = 500;

/** The terminal as text, for who hears it or takes a piece of it. What is new in it is read out. */
export function Plain({ page }: { readonly page: TerminalPage }) {
  const lines = useSignal<readonly Line[]>([]);
  const fault = useSignal<string | undefined>(undefined);
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const show = (text: string) => {
      const pre = place.current;
      const isAtEnd =
        pre === null || pre.scrollHeight - pre.scrollTop - pre.clientHeight < pre.clientHeight / 4;
      lines.value = numbered(lines.peek(), text);
      if (isAtEnd) requestAnimationFrame(() => pre?.scrollTo({ top: pre.scrollHeight }));
    };
    return askedAgain(page, show, (message) => {
      fault.value = message;
    });
  }, [page, lines, fault]);
  useEffect(() => {
    const { screen } = page;
    if (screen !== undefined) screen.isHeard = true;
    return () => {
      if (screen !== undefined) screen.isHeard = false;
    };
  }, [page]);
  const last = lines.value.length - 1;
  return (
    <section class="plain" aria-label="The terminal as text">
      {fault.value !== undefined && (
        <p class="quiet-text plain-fault">It could not be read anew: {fault.value}</p>
      )}
      <pre
        ref={place}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
        tabIndex={0}
        aria-live="polite"
        aria-atomic="false"
        aria-relevant="additions text"
      >
        {lines.value.map(({ number, text }, at) => (
          <Fragment key={number}>{at === last ? text : `${text}\n`}</Fragment>
        ))}
      </pre>
    </section>
  );
}

/** Asks for the text as often as output came since, one question at a time, until what it answers is called. */
function askedAgain(
  page: TerminalPage,
  show: (text: string) => void,
  failed: (message: string | undefined) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let seen = -1;
  const look = async () => {
    if (seen !== page.outputs && !document.hidden) {
      seen = page.outputs;
      try {
        const asked = { ...page.whose, scrollback: LINES };
        const { text } = await page.subscription.terminal.capture(page.id, asked);
        if (isOver) return;
        show(text);
        failed(undefined);
      } catch (error) {
        // It is asked for again, whether or not anything comes.
        seen = -1;
        failed(error instanceof Error ? error.message : String(error));
      }
    }
    if (!isOver) timer = setTimeout(look, AGAIN_MS);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
