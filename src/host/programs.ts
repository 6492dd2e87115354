import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { HostError } from "./failure.ts";

/** What a terminal runs where nothing else is asked for: the user's shell, as a login would start it. */
export function userShell(environment: Readonly<Record<string, string>>): string {
  const known = [environment["SHELL"], shellOfUser(), "/bin/sh"];
  return known.find((shell) => shell !== undefined && isAbsolute(shell)) ?? "/bin/sh";
}

/** The one that is stated for the user. Systems may know of no user with our number. */
function shellOfUser(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}

/** Refuses a directory that a program cannot be started in, before anything else is done. */
export function requireDirectory(cwd: string): void {
  if (!isAbsolute(cwd) || cwd.includes("\0")) {
    throw new HostError("invalid", `cwd must be an absolute path, got ${JSON.stringify(cwd)}`);
  }
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  const what = found === undefined ? "does not exist" : "is no directory";
  throw new HostError("invalid", `cwd must be a directory, ${JSON.stringify(cwd)} ${what}`);
}
