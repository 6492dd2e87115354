import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Every file below a folder, as full paths. */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
