import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project, with a slash at its end. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

export const dist = join(root, "dist");

if (!existsSync(join(dist, ".built"))) {
  throw new Error("These tests are about the built package; run `npm run build` first");
}

/** The environment without what an npm that may be running these tests has put there: its folder and settings are
 * not another npm's. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return Object.fromEntries(own);
}

/** Runs npm in a folder and answers with what it printed. */
export function npm(folder: string, ...args: readonly string[]): string {
  return execFileSync("npm", args, { cwd: folder, env: npmEnvironment(), encoding: "utf8" });
}
