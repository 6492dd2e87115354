import { attachCommand, shellWords } from "../contract/attach.ts";
import { ActingError } from "./failure.ts";
import type { Verb } from "./terminal.ts";

/** What to call those who have a terminal, in words. */
const MANAGERS: Readonly<Record<string, string>> = {
  pty: "a terminal of termtopic's own",
  tmux: "a pane of tmux",
  hyoui: "a terminal of hyoui",
  screen: "a window of screen",
  zellij: "a pane of zellij",
  wezterm: "a pane of wezterm",
  kitty: "a window of kitty",
  tty: "a terminal that nothing else than the window it is in has a hand on",
};

/** What can be done with terminals of others than us. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  tmux: ["send", "capture", "read", "signal", "close"],
};

/** Says that something cannot be done with a terminal from here, what can be, and how to get to it. */
export function unsupported(id: string, verb: Verb | "attach" | "wait" | "view"): ActingError {
  const scheme = id.slice(0, id.indexOf(":"));
  const what = MANAGERS[scheme] ?? "a terminal of another program";
  const others = OTHERS[scheme];
  const can = others === undefined ? "only list it" : `${others.join(", ")} it`;
  const command = attachCommand(id);
  const way = command === undefined ? "" : `; from a shell: ${shellWords(command)}`;
  return new ActingError(
    "unsupported",
    `cannot ${verb} ${id}: it is ${what}, and termtopic can ${can}${way}`,
  );
}
