/** The command that shows a listed terminal from a shell of its host; `undefined` where there is none. */
export function attachCommand(id: string): readonly string[] | undefined {
  const at = id.indexOf(":");
  const [first = "", second = ""] = id
    .slice(at + 1)
    .split("/")
    .map(decoded);
  switch (id.slice(0, at)) {
    case "pty":
      return ["termtopic", "attach", id];
    case "tmux":
      return tmuxCommand(first, second);
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

/** A server's socket is a path, or the name of one in the default folder. */
function tmuxCommand(server: string, pane: string): readonly string[] | undefined {
  const socket = server.slice(0, server.lastIndexOf("@"));
  if (socket === "" || !/^\d+$/.test(pane)) return undefined;
  const where = socket.startsWith("/") ? ["-S", socket] : ["-L", socket];
  return ["tmux", ...where, "attach-session", "-t", `%${pane}`];
}

/** A command as a shell takes it. */
export const shellWords = (command: readonly string[]): string => command.map(quoted).join(" ");

const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
