import { statSync } from "node:fs";

/** Tells whether the program on disk is still the one that was there when this was called: an update puts another file
 * in its place, and this process goes on with the old one. */
export function watchBuild(path: string): () => boolean {
  const ours = signOf(path);
  return () => signOf(path) === ours;
}

/** What no other file has at the same path; one that is not there has none. */
function signOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && [stat.dev, stat.ino, stat.size, stat.mtimeMs].join(" ");
}
