import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Ends a watch. */
export type Unwatch = () => void;

export interface WatchEvents {
  /** Something came or went (`rename`) or was changed (`change`) under that name; `undefined` where the
   * kernel does not say. */
  changed(name: string | undefined, kind: "rename" | "change"): void;
  /** The watch could not be had, or was lost: nothing is announced from now on. */
  lost(error: Error): void;
}

/** Watches the entries of a folder. */
export function watchEntries(folder: string, events: WatchEvents): Unwatch {
  let watcher: FSWatcher;
  try {
    watcher = watch(folder, { persistent: false }, (kind, name) =>
      events.changed(name ?? undefined, kind),
    );
  } catch (error) {
    // Told later, so that whoever asked holds the way to end the watch by then.
    queueMicrotask(() => events.lost(error as Error));
    return () => {};
  }
  watcher.once("error", (error) => {
    watcher.close();
    events.lost(error);
  });
  return () => watcher.close();
}

/** Watches a folder that may not exist, and may come and go. The nearest folder above that exists is
 * watched as well, since no watch announces that its own folder was removed. After each arming `changed`
 * is called once: what happened while a watch was being armed is announced by nobody. */
export function watchFolder(folder: string, events: WatchEvents): Unwatch {
  let ended = false;
  let unwatch: Unwatch[] = [];
  const disarm = () => {
    for (const end of unwatch.splice(0)) end();
  };
  const arm = () => {
    disarm();
    const there = isFolder(folder);
    const parent = nearestFolder(dirname(folder));
    const nextDown = childTowards(parent, folder);
    const above = watchEntries(parent, {
      changed: (name, kind) => {
        // A folder that was replaced is another one under the same name, so even then the watch is new.
        if (!ended && kind === "rename" && (name === undefined || name === nextDown)) arm();
      },
      lost: events.lost,
    });
    const inside = there ? [watchEntries(folder, events)] : [];
    unwatch = [above, ...inside];
    queueMicrotask(() => {
      if (ended) return;
      // It may have come or gone before the watch above was there to say so.
      if (isFolder(folder) !== there) arm();
      else events.changed(undefined, "rename");
    });
  };
  arm();
  return () => {
    ended = true;
    disarm();
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
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
