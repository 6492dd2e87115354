import { dirname } from "node:path";
import { isWithin } from "../../files/within.ts";

/** What a path of the sandbox is, where it is not as it is outside and read-only. */
export type Mount =
  /** As it is outside, writable. */
  | { readonly kind: "write"; readonly path: string }
  /** As it is outside, in a folder that is not. */
  | { readonly kind: "read"; readonly path: string }
  /** A symbolic link in a folder that is not as it is outside. */
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  /** A writable folder of the sandbox's own, which goes with it. */
  | { readonly kind: "temporary"; readonly path: string }
  /** A folder with nothing in it but what other mounts put there. */
  | { readonly kind: "empty"; readonly path: string }
  /** A file that nobody can open or connect to. */
  | { readonly kind: "blank"; readonly path: string };

/** The arguments of bwrap(1) for mounts on a read-only root. Each lies on top of what it is within; of several of one path
 * the last in the list counts. */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const depth = ({ path }: Mount) => path.split("/").length;
  const ordered = [...byPath.values()].sort((a, b) => depth(a) - depth(b));
  const needed = ordered.filter((mount) => isNeeded(mount, byPath));
  const closed = needed.filter(({ kind }) => kind === "empty");
  return [
    ...needed.flatMap(argumentsOf),
    // Last, for what is mounted in them needs its place made.
    ...closed.flatMap(({ path }) => ["--remount-ro", path]),
  ];
}

function argumentsOf(mount: Mount): string[] {
  const { path } = mount;
  switch (mount.kind) {
    case "write":
      return ["--bind", path, path];
    case "read":
      return ["--ro-bind", path, path];
    case "link":
      return ["--symlink", mount.target, path];
    case "temporary":
    case "empty":
      return ["--tmpfs", path];
    case "blank":
      return ["--ro-bind", "/dev/null", path];
  }
}

/** What is closed in a folder that is another one anyway is not there. */
function isNeeded({ kind, path }: Mount, byPath: ReadonlyMap<string, Mount>): boolean {
  if (kind !== "empty" && kind !== "blank") return true;
  const around = enclosing(path, byPath)?.kind;
  return around === undefined || around === "write" || around === "read";
}

/** Whether what is at a path outside can be seen at it inside. */
export function isSeen(path: string, mounts: readonly Mount[]): boolean {
  const around = mounts.filter((mount) => isWithin(mount.path, path));
  const nearest = around.sort((a, b) => b.path.length - a.path.length)[0]?.kind;
  return nearest === undefined || nearest === "read" || nearest === "write";
}

function enclosing(path: string, byPath: ReadonlyMap<string, Mount>): Mount | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const mount = byPath.get(folder);
    if (mount !== undefined || folder === "/") return mount;
  }
}
