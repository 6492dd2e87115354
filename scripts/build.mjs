// Builds dist/: the contract, the client and all declarations by tsc, the programs by Vite.
import { chmodSync, copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { main, root, run, tool } from "./lib/run.mjs";
import { buildValidate } from "./validate.mjs";

/** What stays an import in the programs: the one dependency that the package has. */
const EXTERNAL = [/^@sinclair\/typebox(\/|$)/];

await main(async () => {
  const dist = join(root, "dist");
  rmSync(dist, { recursive: true, force: true });
  await run(tool("tsc"), ["-p", "tsconfig.build.json"]);
  await declareFixtures(dist);
  await bundle(dist);
  await buildValidate();
  chmodSync(join(dist, "cli/main.js"), 0o755);
  writeFileSync(join(dist, ".built"), "");
});

/** The fixtures' declarations. Their JSON files lie outside src, so they are emitted apart. */
async function declareFixtures(dist) {
  const folder = join(dist, ".types");
  await run(tool("tsc"), [
    "-p",
    "tsconfig.build.json",
    "--rootDir",
    ".",
    "--outDir",
    folder,
    "--emitDeclarationOnly",
    "--sourceMap",
    "false",
    "--inlineSources",
    "false",
  ]);
  copyFileSync(join(folder, "src/fixtures.d.ts"), join(dist, "fixtures.d.ts"));
  rmSync(folder, { recursive: true });
}

/** The command line, the Node client and the fixtures: everything but TypeBox is inside. */
async function bundle(dist) {
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, external: ["@sinclair/typebox"] },
    build: {
      ssr: true,
      target: "node20",
      outDir: dist,
      emptyOutDir: false,
      sourcemap: true,
      minify: false,
      license: { fileName: "../THIRD-PARTY-LICENSES.txt" },
      rolldownOptions: {
        external: EXTERNAL,
        input: {
          "cli/main": join(root, "src/cli/main.ts"),
          "client/node": join(root, "src/client/node.ts"),
          fixtures: join(root, "src/fixtures.ts"),
        },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "programs/[name]-[hash].js",
        },
      },
    },
  });
}
