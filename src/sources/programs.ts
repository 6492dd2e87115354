import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

/** Where a program is that would be run by its name: the first file of that name on the `PATH` that we may execute.
 * `undefined` where there is none. A folder of the `PATH` that is relative does not count: it would mean another one
 * to everybody. */
export async function findProgram(
  name: string,
  path: string | undefined,
): Promise<string | undefined> {
  for (const folder of (path ?? "").split(":").filter(isAbsolute)) {
    const file = join(folder, name);
    if (await isProgram(file)) return file;
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
