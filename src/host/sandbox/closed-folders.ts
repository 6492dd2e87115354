import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Folders that a sandbox has others in place of. All paths are real ones of folders that are there. */
export interface ClosedFolders {
  /** Through what is in them other terminals can be driven: nothing in them is handed out, whatever a profile says. */
  readonly guarded: readonly string[];
  /** Empty and read-only there. What a profile names in them is handed out. */
  readonly emptied: readonly string[];
  /** The sandbox has writable ones of its own. */
  readonly temporary: readonly string[];
}

/** Looks them up. `own` are the folders of termtopic itself.
 *
 * A read-only mount keeps nobody from connecting to a socket, and whoever reaches a service that runs free can have it do
 * what he may not: so the folders in which services have their sockets are not there at all. */
export async function closedFolders(
  own: readonly string[],
  { TMUX_TMPDIR, XDG_RUNTIME_DIR }: Environment,
): Promise<ClosedFolders> {
  const temporary = await realFolders(["/tmp", "/var/tmp"]);
  const tmux = ["/tmp", TMUX_TMPDIR].filter(isNamed);
  const servers = tmux.map((folder) => join(folder, `tmux-${process.getuid?.() ?? 0}`));
  const runtime = ["/run", "/var/run", XDG_RUNTIME_DIR].filter(isNamed);
  const emptied = await realFolders(runtime);
  return { guarded: await realFolders([...own, ...servers]), emptied, temporary };
}

const isNamed = (path: string | undefined): path is string =>
  path !== undefined && isAbsolute(path);

async function realFolders(paths: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && (await lstat(real)).isDirectory()) found.add(real);
  }
  // Everything is too much to be closed: a variable that says so is a mistake.
  found.delete("/");
  return [...found];
}
