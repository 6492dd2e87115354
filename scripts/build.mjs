// Builds dist/: the contract and the client by tsc, so that they stay modules that any bundler can take
// apart; the programs by Vite, with everything that they need inside. A build that fails leaves the last
// one as it was.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { inputsFingerprint, LICENCES, STAMP } from "./lib/built.mjs";
import { buildDashboard } from "./lib/dashboard.mjs";
import { filesBelow } from "./lib/files.mjs";
import { licenceText } from "./lib/licences.mjs";
import { main, root, run, tool } from "./lib/run.mjs";
import { buildValidate } from "./validate.mjs";

/** What stays an import where others import us: the one dependency that the package has, which is then theirs too. */
const TYPEBOX = { name: "@sinclair/typebox", modules: /^@sinclair\/typebox(\/|$)/ };

/** What nobody imports has TypeBox inside as well: a command that reads 150 files of it starts a tenth of a second
 * later. */
const IMPORTED_BY_NOBODY = new Set(["cli/main", "host/screen-worker"]);

/** Each is a bundle of its own, so that a reader of the package loads no line of the publisher. */
const PROGRAMS = {
  "cli/main": "src/cli/main.ts",
  "client/node": "src/client/node.ts",
  fixtures: "src/fixtures.ts",
  "host/screen-worker": "src/host/screen/worker.ts",
  "host/index": "src/host/index.ts",
  "host/supervisor/index": "src/host/supervisor/index.ts",
};

await main(async () => {
  const fingerprint = inputsFingerprint();
  // Beside dist/ and as deep: the source maps name the sources from where they stand.
  const stage = join(root, `dist.${process.pid}`);
  try {
    await compile(stage);
    const packages = [];
    for (const [name, file] of Object.entries(PROGRAMS)) {
      packages.push(...(await bundle(stage, name, file)));
    }
    packages.push(...(await buildDashboard(stage)));
    chmodSync(join(stage, "cli/main.js"), 0o755);
    await buildValidate(stage);
    writeFileSync(LICENCES, licenceText(packages));
    writeFileSync(join(stage, STAMP), fingerprint);
    const dist = join(root, "dist");
    rmSync(dist, { recursive: true, force: true });
    renameSync(stage, dist);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
});

/** The modules of the contract and the client, and the declarations of everything. */
async function compile(stage) {
  await run(tool("tsc"), ["-p", "tsconfig.build.json", "--outDir", stage]);
  // The fixtures' JSON lies outside src, so tsc keeps the folder src in what it makes of them.
  const apart = join(stage, ".declarations");
  await run(tool("tsc"), ["-p", "tsconfig.bundled.json", "--outDir", apart]);
  for (const file of ["fixtures.d.ts", "client/node.d.ts", "host"]) {
    renameSync(join(apart, "src", file), join(stage, file));
  }
  rmSync(apart, { recursive: true });
  for (const file of filesBelow(stage).filter((path) => path.endsWith(".d.ts"))) {
    // tsc gives modules the names of what it made of them, but declarations keep the sources' names.
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/(\bfrom |\bimport\()"(\.[^"]*)\.ts"/g, '$1"$2.js"'));
  }
}

/** One program; answers with the packages that are inside. */
async function bundle(stage, name, file) {
  const external = IMPORTED_BY_NOBODY.has(name) ? [] : [TYPEBOX];
  const { output } = await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, external: external.map(({ name }) => name) },
    build: {
      ssr: true,
      target: "node20",
      outDir: stage,
      emptyOutDir: false,
      sourcemap: true,
      minify: false,
      license: { fileName: "licences.json" },
      rolldownOptions: {
        external: external.map(({ modules }) => modules),
        input: { [name]: join(root, file) },
        output: { entryFileNames: "[name].js", chunkFileNames: "programs/[name]-[hash].js" },
      },
    },
  });
  rmSync(join(stage, "licences.json"));
  return JSON.parse(output.find(({ fileName }) => fileName === "licences.json").source);
}
