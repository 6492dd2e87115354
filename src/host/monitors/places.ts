import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { reasonOf } from "../../files/reason.ts";
import { isWithin } from "../../files/within.ts";
import { MonitorRefusal } from "./refusal.ts";

/** A path within a workspace that a condition names. */
export interface Place {
  /** Real path of the workspace's root. */
  readonly root: string;
  /** Absolute, as it was named: links in it may lead elsewhere by now. */
  readonly path: string;
}

/** What tells that a file is another one, or has been written. */
export interface FileFacts {
  /** Its device and number. */
  readonly identity: string;
  /** In bytes. */
  readonly size: bigint;
  /** When it was written last, in nanoseconds since the Unix epoch. */
  readonly writtenAt: bigint;
  readonly isFolder: boolean;
}

/** The place that a path of a condition means. Rejects with a MonitorRefusal where that is not in the workspace. */
export async function placeIn(root: string, path: string, field: string): Promise<Place> {
  const real = await realpath(root).catch((error: unknown) => {
    throw new MonitorRefusal("invalid_request", `The workspace ${root}: ${reasonOf(error)}`);
  });
  const place = { root: real, path: resolve(real, path) };
  const found = await realPath(place.path).catch((error: unknown) => {
    throw new MonitorRefusal(
      "invalid_request",
      `${field} ${JSON.stringify(path)}: ${reasonOf(error)}`,
    );
  });
  // The root as it was named may be a link itself, and the path begin with it.
  if (isWithin(real, found)) return place;
  const message = `${field} must be in the workspace ${real}, got ${JSON.stringify(path)}`;
  throw new MonitorRefusal(
    "path_outside_workspace",
    found === place.path ? message : `${message}, which is ${found}`,
  );
}

/** What is at a place now. Undefined where nothing is. Rejects where links lead out of the workspace by now, and where the
 * system does not say. */
export async function factsOf({
  root,
  path,
}: Place): Promise<(FileFacts & { path: string }) | undefined> {
  const real = await realPath(path);
  if (!isWithin(root, real)) throw new Error(`${path} leads out of the workspace`);
  const facts = await foundAt(real);
  return facts === undefined ? undefined : { ...facts, path: real };
}

/** What a path leads to now, wherever that is. Undefined where nothing is. Rejects where the system does not say. */
export async function foundAt(path: string): Promise<FileFacts | undefined> {
  try {
    const found = await stat(path, { bigint: true });
    return {
      identity: `${found.dev}:${found.ino}`,
      size: found.size,
      writtenAt: found.mtimeNs,
      isFolder: found.isDirectory(),
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The path without links, as far as it exists. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    return join(await realPath(dirname(path)), basename(path));
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
