// `npm test`: sets up what is missing and runs the tests. `--long` runs the long forms instead, which take
// TERMTOPIC_LONG_TOTAL_SECONDS together where that is set, and else as long as each sees fit. Other
// arguments go to vitest.

import { filesBelow } from "./lib/files.mjs";
import { ensureBuild, ensureDependencies, ensurePrograms, TEST_PROGRAMS } from "./lib/prepare.mjs";
import { main, root, run, tool } from "./lib/run.mjs";

await main(async () => {
  const long = process.argv.includes("--long");
  const rest = process.argv.slice(2).filter((argument) => argument !== "--long");
  await ensureDependencies();
  await ensurePrograms(TEST_PROGRAMS);
  await ensureBuild();
  const args = ["run", ...rest];
  await run(tool("vitest"), long ? [...args, "--passWithNoTests"] : args, {
    env: { ...process.env, ...(long ? longForms() : {}) },
  });
});

/** What makes vitest take the long forms, and the seconds that each file of them may spend. */
function longForms() {
  const total = process.env.TERMTOPIC_LONG_TOTAL_SECONDS;
  if (total === undefined) return { TERMTOPIC_LONG: "1" };
  const files = filesBelow(`${root}/test`).filter((file) => file.endsWith(".long.ts"));
  const share = Math.max(1, Math.floor(Number(total) / Math.max(1, files.length)));
  return { TERMTOPIC_LONG: "1", TERMTOPIC_LONG_SECONDS: String(share) };
}
