// `npm test`: sets up what is missing and runs the tests. `--long` runs the long forms instead, for
// as long as TERMTOPIC_LONG_SECONDS says. Other arguments go to vitest.
import { ensureBuild, ensureDependencies, ensurePrograms } from "./lib/prepare.mjs";
import { main, run, tool } from "./lib/run.mjs";

await main(async () => {
  const long = process.argv.includes("--long");
  const rest = process.argv.slice(2).filter((argument) => argument !== "--long");
  await ensureDependencies();
  await ensurePrograms(["tmux", "unshare", "script"]);
  await ensureBuild();
  const env = { ...process.env, ...(long ? { TERMTOPIC_LONG: "1" } : {}) };
  await run(tool("vitest"), ["run", ...rest], { env });
});
