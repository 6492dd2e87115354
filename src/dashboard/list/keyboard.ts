import { nextScheme } from "../shared/scheme.ts";
import { type Actions, can, copyCommand, dialog } from "./actions.ts";
import type { Entry } from "./entry.ts";
import { SEARCH_ID } from "./filters.tsx";
import { type ActionName, actionOf } from "./keys.ts";
import type { ListModel } from "./model.ts";

const ROW = "li.row";

export interface KeyboardParts {
  readonly model: ListModel;
  readonly actions: Actions;
  mayAct(): boolean;
}

/** Makes the whole list work by keys. One row at a time is reached by Tab. */
export function listenToKeys(parts: KeyboardParts): void {
  const { model } = parts;
  document.addEventListener("keydown", (event) => onKey(parts, event));
  document.addEventListener("focusin", () => {
    const entry = focusedEntry(model);
    if (entry !== undefined) model.reach(entry);
  });
}

/** The row that the focus is in. */
function focusedEntry(model: ListModel): Entry | undefined {
  const row = document.activeElement?.closest<HTMLElement>(ROW);
  return model.entry(row?.dataset["key"] ?? "");
}

function onKey(parts: KeyboardParts, event: KeyboardEvent): void {
  // One that is closed is told of a moment later, and keys are the list's again.
  const isInDialog = document.querySelector("dialog[open]") !== null;
  if (isInDialog || event.defaultPrevented) return;
  const action = actionOf(event);
  if (action === undefined) return;
  const isTyping =
    event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (isTyping && !isForSearch(action, event)) return;
  if (perform(parts, action)) event.preventDefault();
}

/** What keys do while somebody types a search. */
const isForSearch = (action: ActionName, { target, key }: KeyboardEvent) =>
  target instanceof HTMLInputElement && (action === "back" || key === "ArrowDown");

/** Answers whether something was done. */
function perform({ model, actions, mayAct }: KeyboardParts, action: ActionName): boolean {
  switch (action) {
    case "search":
      document.getElementById(SEARCH_ID)?.focus();
      return true;
    case "down":
      return move(model, (at) => at + 1);
    case "up":
      return move(model, (at) => at - 1);
    case "first":
      return move(model, () => 0);
    case "last":
      return move(model, (_, last) => last);
    case "inner":
    case "outer":
      return moveWithin(action === "inner" ? 1 : -1);
    case "scheme":
      nextScheme();
      return true;
    case "keys":
      dialog.value = { kind: "keys" };
      return true;
    case "open":
      if (mayAct()) dialog.value = { kind: "open" };
      return mayAct();
    case "back":
      return leaveSearch(model);
    default:
      return actOn(action, { model, actions, mayAct });
  }
}

function move(model: ListModel, next: (at: number, last: number) => number): boolean {
  const rows = model.filtering.rows.peek();
  const focused = focusedEntry(model);
  const at = focused === undefined ? -1 : rows.indexOf(focused);
  const last = rows.length - 1;
  const entry = rows[Math.min(last, Math.max(0, next(at, last)))];
  if (entry === undefined) return false;
  model.reach(entry);
  // Far from what is seen it is drawn only now, in the microtask before this one.
  queueMicrotask(() => {
    const row = document.querySelector(`${ROW}[data-key="${CSS.escape(entry.key)}"]`);
    const link = row?.querySelector<HTMLElement>(".row-link");
    link?.focus();
    link?.scrollIntoView({ block: "nearest" });
  });
  return true;
}

function moveWithin(step: 1 | -1): boolean {
  const row = document.activeElement?.closest(ROW);
  if (row === null || row === undefined) return false;
  const stops = [...row.querySelectorAll<HTMLElement>(".row-link, .row-buttons button")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus();
  return true;
}

function leaveSearch(model: ListModel): boolean {
  const search = document.getElementById(SEARCH_ID);
  if (document.activeElement === search) {
    search?.blur();
    move(model, () => 0);
    return true;
  }
  if (model.filtering.filter.peek().text === "") return false;
  model.filtering.set({ text: "" });
  return true;
}

function actOn(action: ActionName, { model, actions, mayAct }: KeyboardParts): boolean {
  const entry = focusedEntry(model);
  if (entry === undefined) return false;
  if (action === "copy") {
    void copyCommand(entry);
    return true;
  }
  return mayAct() && changes(action, entry, actions);
}

function changes(action: ActionName, entry: Entry, actions: Actions): boolean {
  const { terminal } = entry.shown.peek();
  if (action === "rename" && can(terminal, "rename")) dialog.value = { kind: "rename", entry };
  else if (action === "interrupt" && can(terminal, "signal")) void actions.interrupt(entry);
  else if (action === "close" && can(terminal, "close")) void actions.close(entry);
  else return false;
  return true;
}
