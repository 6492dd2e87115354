import { opendir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { type Unwatch, watchEntries } from "../../sources/watch.ts";
import { shareRuns } from "../../time/share-runs.ts";

/** Below which folders the packages of screen keep one of sockets for each user, named `S-<user>`. */
const BASES = ["/run/screen", "/var/run/screen", "/run/screens", "/tmp/screens", "/tmp/uscreens"];

/** How many entries of a folder are read: a folder of sockets has one for each session, and a few more. */
const MAX_ENTRIES = 4_096;

/** A socket's name is the pid of its server, a dot, and the name of the session. */
const SOCKET = /^(\d{1,10})\.(.+)$/s;

/** What sessions of screen are called. A server has its session's first name in the environment of its windows, but
 * that stays where the session is renamed; its socket then gets another name. */
export class SessionNames {
  readonly #onChanged: () => void;
  #servers: ReadonlySet<number> = new Set();
  #folders: ReadonlySet<string> = new Set();
  #names: ReadonlyMap<number, string> = new Map();
  readonly #watched = new Map<string, Unwatch>();
  #stopped = false;

  /** Reads the folders; resolves when that is done. */
  readonly look = shareRuns(() => this.#lookNow());

  /** `onChanged` is called where a session is called otherwise than it was. */
  constructor(onChanged: () => void) {
    this.#onChanged = onChanged;
  }

  /** What the session of a server is called, by its socket. `undefined` where that is not known, or was deleted. */
  of(server: number): string | undefined {
    return this.#names.get(server);
  }

  /** Keeps to these servers, by pid. `folders` are those of sockets that they were given (`$SCREENDIR`), beside the
   * usual ones. */
  keep(servers: ReadonlySet<number>, folders: ReadonlySet<string>): void {
    const isSame =
      servers.size === this.#servers.size &&
      folders.size === this.#folders.size &&
      [...servers].every((pid) => this.#servers.has(pid)) &&
      [...folders].every((folder) => this.#folders.has(folder));
    if (isSame) return;
    this.#servers = servers;
    this.#folders = folders;
    void this.look();
  }

  async #lookNow(): Promise<void> {
    const names = new Map<number, string>();
    const watched = new Set<string>();
    const folders = this.#servers.size === 0 ? [] : await this.#socketFolders();
    for (const folder of folders) {
      for (const entry of await entriesOf(folder)) {
        const [, pid, name] = SOCKET.exec(entry) ?? [];
        if (name === undefined || !this.#servers.has(Number(pid))) continue;
        names.set(Number(pid), name);
        watched.add(folder);
      }
    }
    if (this.#stopped) return;
    this.#watch(watched);
    const before = this.#names;
    this.#names = names;
    const isSame =
      names.size === before.size && [...names].every(([pid, name]) => before.get(pid) === name);
    if (!isSame) this.#onChanged();
  }

  stop(): void {
    this.#stopped = true;
    this.#watch(new Set());
  }

  async #socketFolders(): Promise<ReadonlySet<string>> {
    const own = join(process.env["HOME"] ?? "/", ".screen");
    const found = new Set([...this.#folders, own].filter(isAbsolute));
    for (const base of BASES) {
      for (const entry of await entriesOf(base)) {
        if (entry.startsWith("S-")) found.add(join(base, entry));
      }
    }
    return found;
  }

  #watch(folders: ReadonlySet<string>): void {
    for (const [folder, unwatch] of this.#watched) {
      if (folders.has(folder)) continue;
      unwatch();
      this.#watched.delete(folder);
    }
    for (const folder of folders) {
      if (this.#watched.has(folder)) continue;
      const forget = () => this.#watched.delete(folder);
      const changed = (_name: string | undefined, kind: string) => {
        if (kind === "rename") void this.look();
      };
      this.#watched.set(folder, watchEntries(folder, { changed, lost: forget }));
      // What happened between the reading and the watch was announced by nobody.
      void this.look();
    }
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  const entries: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      if (entries.push(name) >= MAX_ENTRIES) break;
    }
  } catch {
    // There is none, or we may not look.
  }
  return entries;
}
