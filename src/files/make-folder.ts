import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a folder and those above it, each closed to others. The recursive mkdir of Node does not end where the
 * system says ENOENT of a folder whose parent is there, as below /proc. */
export async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  }
}
