/** Under this name the programs that the server starts for itself find the host's folder. A path in a command would pass
 * through tmux, which takes `#`, `%` and `;` for its own. */
export const FOLDER_VARIABLE = "TERMTOPIC_TMUX_FOLDER";

/** Where programs are on every system (hier(7)). */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** What the server and the commands to it know: where programs are, and the folder. Not which tmux the host was started in;
 * what programs in its sessions get is theirs alone. */
export function serverEnvironment(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env["PATH"] || DEFAULT_PATH,
    HOME: process.env["HOME"] || "/",
    // tmux says for the panes that it starts what it is itself.
    SHELL: "/bin/sh",
    LC_CTYPE: "C.UTF-8",
    [FOLDER_VARIABLE]: folder,
  };
}
