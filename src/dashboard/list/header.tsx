import { nextScheme, schemeChoice } from "../shared/scheme.ts";
import { dialog } from "./actions.ts";
import type { ListModel } from "./model.ts";
import { askToNotify, notifying } from "./notify.ts";

const SCHEMES = { system: "As the system", light: "Light", dark: "Dark" } as const;

/** What people are told when an agent begins to wait. */
const NOTIFYING = {
  off: "Notify me",
  on: "Notifying",
  denied: "Notifications are blocked",
  unsupported: "",
} as const;

export function Header({ model, mayAct }: { readonly model: ListModel; readonly mayAct: boolean }) {
  return (
    <header class="top">
      <h1>Terminals</h1>
      <Counts model={model} />
      <span class="top-buttons">
        {mayAct && (
          <button
            type="button"
            class="primary"
            title="Open a new terminal (n)"
            onClick={() => {
              dialog.value = { kind: "open" };
            }}
          >
            Open
          </button>
        )}
        {NOTIFYING[notifying.value] !== "" && (
          <button
            type="button"
            aria-pressed={notifying.value === "on"}
            disabled={notifying.value === "denied"}
            title="Tells when an agent begins to wait for you"
            onClick={() => void askToNotify()}
          >
            {NOTIFYING[notifying.value]}
          </button>
        )}
        <button type="button" title="Light, dark or as the system (t)" onClick={nextScheme}>
          <span class="only-heard">Colours: </span>
          {SCHEMES[schemeChoice.value]}
        </button>
        <button
          type="button"
          aria-label="Keys"
          title="Keys (?)"
          onClick={() => {
            dialog.value = { kind: "keys" };
          }}
        >
          ?
        </button>
      </span>
    </header>
  );
}

function Counts({ model }: { readonly model: ListModel }) {
  const total = model.total.value;
  const needs = model.needsCount.value;
  return (
    <p class="counts" role="status">
      {total === 1 ? "1 terminal" : `${total} terminals`}
      {needs > 0 && <strong>{needs === 1 ? "1 needs you" : `${needs} need you`}</strong>}
    </p>
  );
}
