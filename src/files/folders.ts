import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where `instance.id`, `token` and the publisher's own file are kept. */
export function stateFolder(environment: Environment = process.env): string {
  const { TERMTOPIC_STATE_DIR, XDG_STATE_HOME } = environment;
  if (TERMTOPIC_STATE_DIR) return resolve(TERMTOPIC_STATE_DIR);
  // The XDG base directory specification: a path that is not absolute is to be ignored.
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, "termtopic");
  return join(homedir(), ".local/state/termtopic");
}

/** Where sockets are published. Never below the shared temporary folder, where anybody can take a name. */
export function runtimeFolder(state: string, environment: Environment = process.env): string {
  const { TERMTOPIC_RUNTIME_DIR, XDG_RUNTIME_DIR } = environment;
  if (TERMTOPIC_RUNTIME_DIR) return resolve(TERMTOPIC_RUNTIME_DIR);
  if (XDG_RUNTIME_DIR && isAbsolute(XDG_RUNTIME_DIR) && isOurFolder(XDG_RUNTIME_DIR)) {
    return join(XDG_RUNTIME_DIR, "termtopic");
  }
  return join(state, "run");
}

/** The folder for sockets whose path in `folder` would be too long for the kernel: a short one of its own, where
 * nobody else can take its name. */
export function shortFolder(folder: string, environment: Environment = process.env): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const { XDG_RUNTIME_DIR } = environment;
  if (XDG_RUNTIME_DIR && isAbsolute(XDG_RUNTIME_DIR) && isOurFolder(XDG_RUNTIME_DIR)) {
    return join(XDG_RUNTIME_DIR, `termtopic-${name}`);
  }
  return join(environment["HOME"] ?? homedir(), `.termtopic-${name}`);
}

/** After `su` and `sudo` the variable may still name another user's folder, or one that is not there. */
function isOurFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}
