import { opendir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { type Unwatch, watchFolder } from "../../sources/watch.ts";
import type { Cancel, Clock } from "../../time/clock.ts";

/** How long after the watches were armed the sessions are read once more, in milliseconds: a change that comes as a
 * watch is being armed may be announced by nobody. */
const ARMED_AGAIN_MS = 500;

/** How many folders of namespaces are watched. */
const MAX_NAMESPACES = 32;

/** How many entries of a folder are read to find those. */
const MAX_ENTRIES = 4_096;

/** Where hyoui keeps its sockets, in any of its generations. In each of them sockets lie flat, or in a folder for each
 * namespace, of which `sessions` is the newest. */
export function socketFolders(
  environment: Readonly<Record<string, string | undefined>>,
  uid: number,
): string[] {
  const { HYOUI_STATE_DIR, XDG_STATE_HOME, XDG_RUNTIME_DIR, TMPDIR, HOME } = environment;
  const below = (base: string | undefined, ...path: string[]) =>
    base === undefined || !isAbsolute(base) ? [] : join(base, ...path);
  const folders = [
    below(HYOUI_STATE_DIR),
    below(XDG_STATE_HOME, "hyoui"),
    below(HOME, ".local/state/hyoui"),
    below(XDG_RUNTIME_DIR, "hyoui"),
    below(TMPDIR, `hyoui-${uid}`),
    `/tmp/hyoui-${uid}`,
  ];
  return [...new Set(folders.flat())];
}

/** Watches folders of sockets, and the folders in them, for sockets that come and go. */
export class SocketFolders {
  readonly #clock: Clock;
  readonly #onChanged: () => void;
  readonly #unwatch: Unwatch[];
  /** The watches of the folders in each folder. */
  readonly #below = new Map<string, Map<string, Unwatch>>();
  #again: Cancel | undefined;
  #stopped = false;

  /** `onChanged` is called soon after the start as well, once the watches are armed. */
  constructor(clock: Clock, folders: readonly string[], onChanged: () => void) {
    this.#clock = clock;
    this.#onChanged = onChanged;
    this.#unwatch = folders.map((folder) =>
      this.#watch(folder, () => void this.#lookBelow(folder)),
    );
  }

  stop(): void {
    this.#stopped = true;
    this.#again?.();
    const below = [...this.#below.values()].flatMap((watches) => [...watches.values()]);
    for (const unwatch of [...this.#unwatch, ...below]) unwatch();
    this.#below.clear();
  }

  /** `onOther` is called where something else than a socket comes or goes. */
  #watch(folder: string, onOther: () => void): Unwatch {
    return watchFolder(folder, {
      changed: (name, kind) => {
        if (this.#stopped || kind !== "rename") return;
        const isSocket = name?.endsWith(".sock") ?? false;
        if (name === undefined) this.#armed();
        // Locks come and go beside the sockets whenever sessions are listed.
        if (name === undefined || isSocket) this.#onChanged();
        if (!isSocket) onOther();
      },
      // Sessions are then read with each bookmark.
      lost: () => {},
    });
  }

  #armed(): void {
    this.#again?.();
    this.#again = this.#clock.schedule(ARMED_AGAIN_MS, () => this.#onChanged());
  }

  async #lookBelow(folder: string): Promise<void> {
    const found = (await foldersIn(folder)).slice(0, MAX_NAMESPACES);
    if (this.#stopped) return;
    const watches = this.#below.get(folder) ?? new Map<string, Unwatch>();
    this.#below.set(folder, watches);
    for (const [path, unwatch] of watches) {
      if (found.includes(path)) continue;
      unwatch();
      watches.delete(path);
    }
    for (const path of found) {
      if (!watches.has(path))
        watches.set(
          path,
          this.#watch(path, () => {}),
        );
    }
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  try {
    let read = 0;
    for await (const entry of await opendir(folder)) {
      if (entry.isDirectory()) found.push(join(folder, entry.name));
      read += 1;
      if (read >= MAX_ENTRIES) break;
    }
  } catch {
    // There is none, or we may not look.
  }
  return found.sort();
}
