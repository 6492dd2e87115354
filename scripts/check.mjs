// `npm run check`: everything about the project that is no test. All checks run; those that fail show what
// they said, and are told by name at the end.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuild, ensureDependencies } from "./lib/prepare.mjs";
import { attempt, main, run, tool } from "./lib/run.mjs";

await main(async () => {
  await ensureDependencies();
  await ensureBuild();
  const folder = mkdtempSync(join(tmpdir(), "termtopic-check-"));
  try {
    const tarball = await pack(folder);
    const failed = await failures({
      "lint and format": ["npm", "run", "--silent", "lint"],
      types: [tool("tsc"), "--noEmit"],
      "types of the pages": [tool("tsc"), "--noEmit", "-p", "tsconfig.dashboard.json"],
      "dead code": [tool("knip")],
      "schemas/ as the source says": ["node", "scripts/schemas.mjs", "--check"],
      "PROTOCOL.md as the code says": ["node", "scripts/protocol.mjs", "--check"],
      "package.json and the files it names": [tool("publint"), tarball, "--strict"],
      "types as importers meet them": [tool("attw"), tarball, "--profile", "esm-only"],
    });
    if (failed.length > 0) throw new Error(`Failed: ${failed.join(", ")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The package as it would be published. It is built already, so no script has to come before. */
async function pack(folder) {
  await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder]);
  const [file] = readdirSync(folder);
  return join(folder, file);
}

/** Runs one check after the other and answers with the names of those that failed. */
async function failures(checks) {
  const failed = [];
  for (const [name, [command, ...args]] of Object.entries(checks)) {
    const { holds, text } = await attempt(command, args);
    console.log(`${holds ? "holds" : "FAILS"}  ${name}`);
    if (holds) continue;
    failed.push(name);
    console.log(text);
  }
  return failed;
}
