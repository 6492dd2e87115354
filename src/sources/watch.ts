import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Ends a watch. */
export type Unwatch = () => void;

export interface WatchEvents {
  /** Something came or went (`rename`) or was changed (`change`) under that name; `undefined` where the
   * kernel does not say. */
  changed(name: string | undefined, kind: "rename" | "change"): void;
  /** The watch could not be had, or was lost: nothing is announced from now on. */
  lost(error: NodeJS.ErrnoException): void;
}

/** Watches the entries of a folder. That the folder itself was moved or removed is announced under its own
 * name. */
export function watchEntries(folder: string, events: WatchEvents): Unwatch {
  let watcher: FSWatcher;
  try {
    watcher = watch(folder, { persistent: false }, (kind, name) =>
      events.changed(name ?? undefined, kind),
    );
  } catch (error) {
    let ended = false;
    // Told later, so that whoever asked holds the way to end the watch by then.
    queueMicrotask(() => {
      if (!ended) events.lost(error as Error);
    });
    return () => {
      ended = true;
    };
  }
  watcher.once("error", (error) => {
    watcher.close();
    events.lost(error);
  });
  return () => watcher.close();
}

/** Watches a folder that may not exist, and may come and go. The nearest folder above that exists is
 * watched as well, to learn when the folder comes or another takes its place. After each arming `changed`
 * is called once: what happened while a watch was being armed is announced by nobody. */
export function watchFolder(folder: string, events: WatchEvents): Unwatch {
  let ended = false;
  let unwatch: Unwatch[] = [];
  const disarm = () => {
    for (const end of unwatch.splice(0)) end();
  };
  const arm = () => {
    disarm();
    let missed = false;
    const lost = (error: NodeJS.ErrnoException) => {
      // It went between the look and the watch.
      if (error.code === "ENOENT") missed = true;
      else events.lost(error);
    };
    const there = isFolder(folder);
    const parent = nearestFolder(dirname(folder));
    const signs: (string | undefined)[] = [
      childTowards(parent, folder),
      basename(parent),
      undefined,
    ];
    const above = watchEntries(parent, {
      changed: (name, kind) => {
        // A folder that was replaced is another one under the same name, so even then the watch is new.
        if (!ended && kind === "rename" && signs.includes(name)) arm();
      },
      lost,
    });
    const inside = there ? [watchEntries(folder, { changed: events.changed, lost })] : [];
    unwatch = [above, ...inside];
    queueMicrotask(() => {
      if (ended) return;
      // They may have come or gone before the watches were there to say so.
      const moved = isFolder(folder) !== there || nearestFolder(dirname(folder)) !== parent;
      if (missed || moved) arm();
      else events.changed(undefined, "rename");
    });
  };
  arm();
  return () => {
    ended = true;
    disarm();
  };
}

/** What cannot be looked at, for want of permission or because the path leads nowhere, is no folder to us. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function nearestFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || isFolder(path) ? path : nearestFolder(parent);
}

/** The name in `parent` that leads towards `path`. */
function childTowards(parent: string, path: string): string {
  const above = dirname(path);
  return above === parent || above === path ? basename(path) : childTowards(parent, above);
}
