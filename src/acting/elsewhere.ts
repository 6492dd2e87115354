import { isSocket } from "../inventory/tmux/socket.ts";
import { ActingError } from "./failure.ts";
import type { Verb } from "./terminal.ts";
import { paneIn } from "./tmux/pane-id.ts";

/** The command that shows a listed terminal from a shell; `undefined` where there is none. */
export function attachCommand(id: string): readonly string[] | undefined {
  const at = id.indexOf(":");
  const scheme = id.slice(0, at);
  const [first = "", second = ""] = id
    .slice(at + 1)
    .split("/")
    .map(decoded);
  switch (scheme) {
    case "pty":
      return ["termtopic", "attach", id];
    case "tmux":
      return tmuxCommand(id);
    case "hyoui":
      // With the namespace before it where the session's name alone would be another's.
      return ["hyoui", "attach", second === "" ? first : second];
    case "screen":
      // The window's number is left out: its user may have given that to another one.
      return ["screen", "-x", first.split(".", 1)[0] ?? ""];
    case "zellij":
      return ["zellij", "attach", first];
    case "wezterm":
      return ["wezterm", "cli", "activate-pane", "--pane-id", second];
    case "kitty":
      return ["kitten", "@", "focus-window", "--match", `id:${second}`];
    default:
      return undefined;
  }
}

function tmuxCommand(id: string): readonly string[] | undefined {
  const pane = paneIn(id);
  if (pane === undefined) return undefined;
  const socket = pane.sockets.find(isSocket) ?? pane.sockets[0] ?? "";
  return ["tmux", "-S", socket, "attach-session", "-t", `%${pane.number}`];
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

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
  const way = command === undefined ? "" : `; from a shell: ${command.map(quoted).join(" ")}`;
  return new ActingError(
    "unsupported",
    `cannot ${verb} ${id}: it is ${what}, and termtopic can ${can}${way}`,
  );
}

const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
