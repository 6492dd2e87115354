import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { errorCode } from "../../files/reason.ts";
import { isWithin } from "../../files/within.ts";
import { requireText } from "./arguments.ts";
import { InvalidArgument, OperationError } from "./errors.ts";
import { MAX_PATH_BYTES } from "./limits.ts";

/** The real paths of a workspace and of a folder in it. Throws where either is no folder, or the second, with every
 * symbolic link followed, is not within the first. */
export async function workspaceFolders(
  root: string,
  cwd: string,
): Promise<{ readonly root: string; readonly cwd: string }> {
  const realRoot = await realFolder("workspace_root", root);
  const realCwd = await realFolder("cwd", cwd);
  if (isWithin(realRoot, realCwd)) return { root: realRoot, cwd: realCwd };
  throw new OperationError(
    "path_outside_workspace",
    `cwd must be within workspace_root, got ${realCwd} and ${realRoot}`,
  );
}

async function realFolder(name: string, path: string): Promise<string> {
  requireText(name, path, MAX_PATH_BYTES);
  if (!isAbsolute(path)) {
    throw new InvalidArgument(`${name} must be an absolute path, got ${JSON.stringify(path)}`);
  }
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new InvalidArgument(
      `${name} must be a folder that is there, got ${JSON.stringify(path)} (${errorCode(error) ?? "unreadable"})`,
    );
  }
  throw new InvalidArgument(`${name} must be a folder, got ${JSON.stringify(path)}`);
}
