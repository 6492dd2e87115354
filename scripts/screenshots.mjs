// `npm run screenshots [folder]`: a picture of every state of the pages, into the folder; by default docs/images.
import { join, resolve } from "node:path";
import { ensureBuild, ensureDependencies, ensurePrograms } from "./lib/prepare.mjs";
import { main, root } from "./lib/run.mjs";

await main(async () => {
  await ensureDependencies();
  await ensurePrograms(["chromium"]);
  await ensureBuild();
  // Only now: a fresh clone had nothing installed when this script began.
  const { runnerImport } = await import("vite");
  const { module } = await runnerImport(join(root, "test/browser/pictures/pictures.ts"));
  await module.default(resolve(process.argv[2] ?? join(root, "docs/images")));
});
