import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesBelow } from "./files.mjs";
import { root } from "./run.mjs";

/** The file in dist/ that says what it was made of. It comes last, so a build without it is none. */
export const STAMP = ".built";

/** The licences of what the programs have inside; a part of the build outside dist/. */
export const LICENCES = join(root, "THIRD-PARTY-LICENSES.txt");

const FOLDERS = ["src", "scripts", "fixtures", "schemas"];
const FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "tsconfig.bundled.json",
];

/** A hash of everything that the build is made of, names and contents: a file that was removed or
 * brought back from earlier counts as much as one that was edited, and times of files do not tell either. */
export function inputsFingerprint() {
  const hash = createHash("sha256");
  const files = [
    ...FOLDERS.flatMap((folder) => filesBelow(join(root, folder))),
    ...FILES.map((file) => join(root, file)),
  ];
  for (const file of files.sort()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/** Whether dist/ holds a whole build of what is there now. */
export function isBuilt() {
  const stamp = join(root, "dist", STAMP);
  return (
    existsSync(stamp) && existsSync(LICENCES) && readFileSync(stamp, "utf8") === inputsFingerprint()
  );
}
