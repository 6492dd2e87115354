import { basename, dirname, join, resolve } from "node:path";
import { type Unwatch, watchFolder } from "../../sources/watch.ts";
import { isSocket } from "./socket.ts";

interface WatchedFolder {
  readonly unwatch: Unwatch;
  /** How often each file in it is of interest. */
  readonly files: Map<string, number>;
  /** Folders of sockets are of interest whole. */
  whole: boolean;
}

export interface SocketEvents {
  /** A socket, or what may be one, came, went or was changed. `undefined`: any of a folder's. */
  changed(path: string | undefined): void;
  lost(error: Error): void;
}

/** Watches the places where tmux servers have their sockets. */
export class SocketWatch {
  readonly #events: SocketEvents;
  readonly #folders = new Map<string, WatchedFolder>();

  constructor(events: SocketEvents) {
    this.#events = events;
  }

  /** A socket, or a folder of them. It may not exist yet, and then it may become either. */
  addPlace(place: string): void {
    const path = resolve(place);
    if (!isSocket(path)) this.#folder(path).whole = true;
    this.addSocket(path);
  }

  addSocket(path: string): void {
    const { files } = this.#folder(dirname(path));
    files.set(basename(path), (files.get(basename(path)) ?? 0) + 1);
  }

  /** Takes one `addSocket` back. A folder in which nothing is of interest is watched no longer. */
  removeSocket(path: string): void {
    const folder = this.#folders.get(dirname(path));
    if (folder === undefined) return;
    const wanted = (folder.files.get(basename(path)) ?? 0) - 1;
    if (wanted > 0) folder.files.set(basename(path), wanted);
    else folder.files.delete(basename(path));
    if (folder.whole || folder.files.size > 0) return;
    folder.unwatch();
    this.#folders.delete(dirname(path));
  }

  stop(): void {
    for (const { unwatch } of this.#folders.values()) unwatch();
    this.#folders.clear();
  }

  #folder(path: string): WatchedFolder {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const folder: WatchedFolder = {
      files: new Map(),
      whole: false,
      unwatch: watchFolder(path, {
        changed: (name) => {
          if (name === undefined) this.#events.changed(undefined);
          else if (folder.whole || folder.files.has(name)) this.#events.changed(join(path, name));
        },
        lost: (error) => this.#events.lost(error),
      }),
    };
    this.#folders.set(path, folder);
    return folder;
  }
}
