import { Dialog, fieldText, submitted } from "../shared/dialog.tsx";
import { terminalPage } from "../shared/endpoint.ts";
import { KeysList } from "../shared/keys-list.tsx";
import { type Actions, dialog } from "./actions.ts";
import type { Entry } from "./entry.ts";
import { KEY_ACTIONS } from "./keys.ts";

interface DialogsProps {
  readonly endpoint: string;
  readonly actions: Actions;
}

/** The dialog that is open, if one is. */
export function Dialogs({ endpoint, actions }: DialogsProps) {
  const open = dialog.value;
  switch (open?.kind) {
    case "keys":
      return <Keys />;
    case "open":
      return <OpenTerminal endpoint={endpoint} actions={actions} />;
    case "rename":
      return <Rename entry={open.entry} actions={actions} />;
    case "close":
      return <Close entry={open.entry} program={open.program} actions={actions} />;
    default:
      return null;
  }
}

const leave = () => {
  dialog.value = undefined;
};

function Keys() {
  return (
    <Dialog title="Keys" leave={leave}>
      <KeysList keys={KEY_ACTIONS} />
    </Dialog>
  );
}

function OpenTerminal({ endpoint, actions }: DialogsProps) {
  const open = submitted((fields) => {
    const [cwd, command, name] = ["cwd", "command", "name"].map((field) =>
      fieldText(fields, field),
    );
    const isExec = fields.get("exec") !== null;
    // A shell takes the words apart, and becomes the program.
    const run = isExec
      ? { exec: ["/bin/sh", "-c", `exec ${command}`] }
      : { command: command ?? "" };
    void actions
      .open({
        ...(cwd ? { cwd } : {}),
        ...(name ? { name } : {}),
        ...(command ? run : {}),
      })
      .then((id) => {
        if (id === undefined) return;
        leave();
        location.assign(terminalPage(endpoint, { id }));
      });
  });
  return (
    <Dialog title="Open a terminal" leave={leave}>
      <form class="fields" onSubmit={open}>
        <label>
          Directory
          <input name="cwd" class="mono" placeholder="home" autocomplete="off" spellcheck={false} />
        </label>
        <label>
          Command
          <input
            name="command"
            class="mono"
            placeholder="a shell"
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <label class="check">
          <input type="checkbox" name="exec" /> in place of a shell: the terminal ends with it
        </label>
        <label>
          Name
          <input name="name" maxLength={256} autocomplete="off" />
        </label>
        <span class="dialog-buttons">
          <button type="button" onClick={leave}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Open
          </button>
        </span>
      </form>
    </Dialog>
  );
}

interface EntryDialogProps {
  readonly entry: Entry;
  readonly actions: Actions;
}

function Rename({ entry, actions }: EntryDialogProps) {
  const rename = submitted((fields) => {
    leave();
    void actions.rename(entry, fieldText(fields, "name"));
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
            defaultValue={entry.shown.peek().terminal.name ?? ""}
          />
        </label>
        <p class="quiet-text">An empty name takes the name away.</p>
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

function Close({
  entry,
  program,
  actions,
}: EntryDialogProps & { readonly program: string | undefined }) {
  return (
    <Dialog title="Close the terminal?" leave={leave}>
      <p>
        <bdi class="mono">{program ?? "A job"}</bdi> runs in it and would be ended.
      </p>
      <span class="dialog-buttons">
        <button type="button" onClick={leave}>
          Keep it
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            leave();
            void actions.close(entry, true);
          }}
        >
          End it and close
        </button>
      </span>
    </Dialog>
  );
}
