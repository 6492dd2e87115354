import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

let built: Promise<URL> | undefined;

/** The worker of the screens as Node can start it, built from the sources once in a process. */
export function screenWorker(): Promise<URL> {
  built ??= make();
  return built;
}

async function make(): Promise<URL> {
  const folder = mkdtempSync(join(tmpdir(), "termtopic-worker-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: "node20",
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: "src/host/screen/worker.ts",
        output: { entryFileNames: "worker.mjs" },
      },
    },
  });
  return pathToFileURL(join(folder, "worker.mjs"));
}
