/** What keys do in the list, for the keys themselves, for the titles of buttons and for the dialog that lists them. */
export interface KeyAction {
  readonly name: ActionName;
  /** As `KeyboardEvent.key` has them. */
  readonly keys: readonly string[];
  /** As people read them. */
  readonly shown: string;
  readonly does: string;
}

export type ActionName =
  | "search"
  | "down"
  | "up"
  | "first"
  | "last"
  | "inner"
  | "outer"
  | "copy"
  | "rename"
  | "interrupt"
  | "close"
  | "open"
  | "scheme"
  | "keys"
  | "back";

export const KEY_ACTIONS: readonly KeyAction[] = [
  { name: "search", keys: ["/"], shown: "/", does: "Search" },
  { name: "down", keys: ["ArrowDown", "j"], shown: "↓ or j", does: "Next terminal" },
  { name: "up", keys: ["ArrowUp", "k"], shown: "↑ or k", does: "Previous terminal" },
  { name: "first", keys: ["Home"], shown: "Home", does: "First terminal" },
  { name: "last", keys: ["End"], shown: "End", does: "Last terminal" },
  { name: "inner", keys: ["ArrowRight"], shown: "→", does: "Buttons of the terminal" },
  { name: "outer", keys: ["ArrowLeft"], shown: "←", does: "Back to the terminal" },
  { name: "copy", keys: ["c"], shown: "c", does: "Copy the command that attaches from a shell" },
  { name: "rename", keys: ["r"], shown: "r", does: "Rename the terminal" },
  { name: "interrupt", keys: ["i"], shown: "i", does: "Interrupt what is in front (Ctrl-C)" },
  { name: "close", keys: ["x"], shown: "x", does: "Close the terminal" },
  { name: "open", keys: ["n"], shown: "n", does: "Open a new terminal" },
  { name: "scheme", keys: ["t"], shown: "t", does: "Light, dark or as the system" },
  { name: "keys", keys: ["?"], shown: "?", does: "This list" },
  { name: "back", keys: ["Escape"], shown: "Escape", does: "Leave the search, then empty it" },
];

/** What a key does; `undefined` where nothing, as with modifiers: those are the browser's. */
export function actionOf({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): ActionName | undefined {
  if (ctrlKey || altKey || metaKey) return undefined;
  return KEY_ACTIONS.find(({ keys }) => keys.includes(key))?.name;
}
