import { Dialog, fieldText, submitted } from "../shared/dialog.tsx";
import { KeysList } from "../shared/keys-list.tsx";
import type { TerminalPage } from "./page.ts";
import { leftOut } from "./paste.ts";

interface Props {
  readonly page: TerminalPage;
}

/** Asks before a text is typed that may do more than its person thinks. */
export function Doubt({ page }: Props) {
  const doubted = page.doubted.value;
  if (doubted === undefined) return null;
  const leave = () => {
    page.doubted.value = undefined;
    page.screen?.focus();
  };
  return (
    <Dialog
      title={doubted.lines === 1 ? "Paste a line?" : `Paste ${doubted.lines} lines?`}
      leave={leave}
    >
      <p>
        {doubted.doubt}
        {doubted.removed > 0 && ` ${leftOut(doubted.removed)}.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys. */}
      <pre class="pasting" tabIndex={0}>
        {doubted.text.slice(0, 4_000)}
      </pre>
      <span class="dialog-buttons">
        <button type="button" onClick={leave}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => page.typePasted(doubted)}>
          Paste
        </button>
      </span>
    </Dialog>
  );
}

/** Asks before a job is ended with its terminal. */
export function Closing({ page }: Props) {
  const view = page.view.value;
  const busy = view?.busy.value ?? null;
  if (view === undefined || busy === null) return null;
  const leave = () => {
    view.busy.value = null;
  };
  return (
    <Dialog title="Close the terminal?" leave={leave}>
      <p>
        <bdi class="mono">{busy.program ?? "A job"}</bdi> runs in it and would be ended.
      </p>
      <span class="dialog-buttons">
        <button type="button" onClick={leave}>
          Keep it
        </button>
        <button type="button" class="primary" onClick={() => view.close(true)}>
          End it and close
        </button>
      </span>
    </Dialog>
  );
}

export function Rename({ page }: Props) {
  const leave = () => {
    page.dialog.value = undefined;
  };
  const rename = submitted((fields) => {
    leave();
    const { terminal } = page.subscription;
    terminal.rename(page.id, fieldText(fields, "name"), page.whose).catch((error: Error) => {
      page.note.value = error.message;
    });
  });
  return (
    <Dialog title="Rename the terminal" leave={leave}>
      <form class="fields" onSubmit={rename}>
        <label>
          Name
          <input
            name="name"
            maxLength={256}
            autocomplete="off"
            defaultValue={page.facts.facts.peek()?.terminal.name ?? ""}
          />
        </label>
        <span class="dialog-buttons">
          <button type="button" onClick={leave}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Rename
          </button>
        </span>
      </form>
    </Dialog>
  );
}

const KEYS = [
  { shown: "Control Shift ↑", does: "Leaves the terminal for the buttons above it" },
  { shown: "Control Shift F", does: "Finds" },
  { shown: "Control Shift C", does: "Copies what is selected; Control C is the terminal's" },
  { shown: "Control Shift V", does: "Pastes" },
  { shown: "Control Shift . and ,", does: "Larger and smaller text" },
  { shown: "Control click", does: "Opens a link" },
];

export function PageKeys({ page }: Props) {
  const leave = () => {
    page.dialog.value = undefined;
  };
  return (
    <Dialog title="Keys" leave={leave}>
      <p>All other keys are the terminal's, Tab and Escape too.</p>
      <KeysList keys={KEYS} />
    </Dialog>
  );
}
