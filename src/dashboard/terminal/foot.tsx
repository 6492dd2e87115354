import { liveness } from "../shared/connection.ts";
import { clockTime } from "../shared/now.ts";
import { nextScheme, schemeChoice } from "../shared/scheme.ts";
import { managerOf } from "../shared/state.ts";
import type { TerminalPage } from "./page.ts";

/** What is good to know beside the terminal, in one line that never moves it, and how the page looks. */
export function Foot({ page }: { readonly page: TerminalPage }) {
  return (
    <footer class="tools foot">
      <span class="foot-text quiet-text">
        <Standing page={page} />
      </span>
      <span class="tool-buttons">
        {page.isShown.value && <Size page={page} />}
        <button type="button" title="Light, dark or as the system" onClick={nextScheme}>
          <span class="only-heard">Colours: </span>
          {{ system: "System", light: "Light", dark: "Dark" }[schemeChoice.value]}
        </button>
        <button
          type="button"
          aria-label="Keys"
          onClick={() => {
            page.dialog.value = "keys";
          }}
        >
          ?
        </button>
      </span>
    </footer>
  );
}

/** One of: where a link leads, why what is told is old, how the terminal is left by keys. */
function Standing({ page }: { readonly page: TerminalPage }) {
  if (!page.isShown.value) return null;
  const link = page.link.value;
  const { isLive, lastGoodAt } = liveness.value;
  const unread = page.facts.unread.value;
  const told =
    link !== undefined
      ? `Control-click opens ${link}`
      : !isLive && lastGoodAt !== undefined
        ? `What is told of the terminal is as of ${clockTime(lastGoodAt)}.`
        : unread !== undefined
          ? `What is told of the terminal is old: ${unread}`
          : undefined;
  return (
    <>
      {told !== undefined && <bdi>{told}</bdi>}
      <span id="leave-hint" class={told === undefined ? "hint" : "only-heard"}>
        <kbd>Control Shift ↑</kbd> leaves the terminal
      </span>
    </>
  );
}

function Size({ page }: { readonly page: TerminalPage }) {
  const view = page.view.value;
  const size = view?.terminal.value;
  const skipped = view?.skipped.value ?? 0;
  return (
    <>
      {skipped > 0 && (
        <span class="quiet-text" title="This page was too slow for some of the output">
          {Math.ceil(skipped / 1024)} KB skipped
        </span>
      )}
      <span class="quiet-text">{managerOf({ id: page.id })}</span>
      {size !== undefined && (
        <span class="quiet-text size">
          {size.cols}×{size.rows}
          {size.fixedSize === true && <span title="Its size is its user's to say"> fixed</span>}
        </span>
      )}
      <button
        type="button"
        title="Smaller text (Control Shift ,)"
        onClick={() => page.resizeFont(-1)}
      >
        <span aria-hidden="true">A−</span>
        <span class="only-heard">Smaller text</span>
      </button>
      <button
        type="button"
        title="Larger text (Control Shift .)"
        onClick={() => page.resizeFont(1)}
      >
        <span aria-hidden="true">A+</span>
        <span class="only-heard">Larger text</span>
      </button>
    </>
  );
}
