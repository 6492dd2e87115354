import { closedFolders } from "./closed-folders.ts";
import { type SandboxCommandLine, sandboxCommandLine } from "./command-line.ts";
import { type Grant, grantOf } from "./grant.ts";
import { keptMounts } from "./kept.ts";
import { isSeen, type Mount } from "./mounts.ts";
import type { SandboxProfile } from "./profile.ts";
import { socketsInReach } from "./sockets.ts";
import { sandboxTools } from "./tools.ts";
import { trySandbox } from "./trial.ts";

export interface SandboxOptions {
  /** Folders of termtopic: its sockets, and what it keeps. */
  readonly own: readonly string[];
  /** The host's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What is to run in a sandbox. */
export interface Confinement {
  readonly profile: SandboxProfile;
  /** Real path of the folder that it works in. */
  readonly workspaceRoot: string;
  /** Real path of the folder that it starts in. */
  readonly cwd: string;
}

/** Makes the sandboxes of a host. */
export class Sandboxes {
  readonly #options: SandboxOptions;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** The command line that a program's own is to follow. It was tried right before. Rejects with a SandboxRefusal where the
   * program could not be confined so. */
  async commandLine({ profile, workspaceRoot, cwd }: Confinement): Promise<SandboxCommandLine> {
    const { own, environment } = this.#options;
    const { PATH = "/usr/local/bin:/usr/bin:/bin" } = environment;
    const tools = await sandboxTools(PATH);
    const folders = await closedFolders(own, environment);
    const named = [workspaceRoot, ...profile.write];
    const grants = await Promise.all(named.map((path) => grantOf(path, folders.guarded)));
    const mounts = await this.#mounts(grants, folders);
    const { network } = profile;
    const commandLine = sandboxCommandLine({ tools, mounts, grants, network, cwd });
    await trySandbox(commandLine, PATH);
    return commandLine;
  }

  /** What was granted goes before what is closed, unless that is guarded. */
  async #mounts(
    grants: readonly Grant[],
    folders: Awaited<ReturnType<typeof closedFolders>>,
  ): Promise<Mount[]> {
    const mounts: Mount[] = [
      ...folders.temporary.map((path) => ({ kind: "temporary" as const, path })),
      ...folders.emptied.map((path) => ({ kind: "empty" as const, path })),
      ...grants.map(({ path }) => ({ kind: "write" as const, path })),
      ...folders.guarded.map((path) => ({ kind: "empty" as const, path })),
    ];
    for (const kept of await keptMounts()) if (!isSeen(kept.path, mounts)) mounts.push(kept);
    const granted = mounts.filter(({ kind }) => kind === "write");
    const isOpen = (path: string) =>
      isSeen(path, mounts) && !granted.some((mount) => path.startsWith(`${mount.path}/`));
    for (const path of await socketsInReach(isOpen)) mounts.push({ kind: "blank", path });
    return mounts;
  }
}
