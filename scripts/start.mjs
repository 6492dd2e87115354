// `npm start`: sets up what is missing and runs the publisher with the options given.
import { ensureBuild, ensureDependencies } from "./lib/prepare.mjs";
import { main } from "./lib/run.mjs";

await main(async () => {
  await ensureDependencies();
  await ensureBuild();
  process.argv.splice(2, 0, "serve");
  await import("../dist/cli/main.js");
});
