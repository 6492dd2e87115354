// `npm run bench [name ...]`: runs the benchmarks of bench/, or those named, one after the other. A name is a file's, such as
// `sweep` or `host/echo`, or a folder's, such as `host`, for all that are in it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuild, ensureDependencies } from "./lib/prepare.mjs";
import { main, root } from "./lib/run.mjs";

await main(async () => {
  await ensureDependencies();
  await ensureBuild();
  const names = ["", "host/", "dashboard/", "cluster/"].flatMap(namesIn);
  const chosen = process.argv.slice(2).map((asked) => ({
    asked,
    found: names.filter((name) => name === asked || name.startsWith(`${asked}/`)),
  }));
  const unknown = chosen.filter(({ found }) => found.length === 0).map(({ asked }) => asked);
  if (unknown.length > 0) {
    throw new Error(
      `Expected a benchmark out of host, dashboard, cluster, ${names.join(", ")}, got ${unknown.join(", ")}`,
    );
  }
  const named = new Set(chosen.flatMap(({ found }) => found));
  // Only now: a fresh clone had nothing installed when this script began.
  const { runnerImport } = await import("vite");
  for (const name of named.size > 0 ? named : names) {
    console.log(`\n# ${name}`);
    const { module } = await runnerImport(join(root, "bench", `${name}.ts`));
    await module.default();
  }
});

function namesIn(folder) {
  return readdirSync(join(root, "bench", folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}${file.slice(0, -".ts".length)}`);
}
