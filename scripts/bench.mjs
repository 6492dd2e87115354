// `npm run bench [name ...]`: runs the benchmarks of bench/, or those named, one after the other.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { ensureBuild, ensureDependencies } from "./lib/prepare.mjs";
import { main, root } from "./lib/run.mjs";

await main(async () => {
  await ensureDependencies();
  await ensureBuild();
  const all = readdirSync(join(root, "bench")).filter((file) => file.endsWith(".ts"));
  const names = all.map((file) => basename(file, ".ts"));
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(`Expected a benchmark out of ${names.join(", ")}, got ${unknown.join(", ")}`);
  }
  // Only now: a fresh clone had nothing installed when this script began.
  const { runnerImport } = await import("vite");
  for (const name of asked.length > 0 ? asked : names) {
    console.log(`\n# ${name}`);
    const { module } = await runnerImport(join(root, "bench", `${name}.ts`));
    await module.default();
  }
});
