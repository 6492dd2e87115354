import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { root } from "./run.mjs";

/** Builds the pages into `dashboard/` of the given folder: one document for the list, one for a terminal, and what both
 * need in `assets/`, by names that change with the contents. Answers with the packages that are inside. */
export async function buildDashboard(stage) {
  const pages = join(root, "src/dashboard");
  const outDir = join(stage, "dashboard");
  const { output } = await build({
    root: pages,
    // Whatever stands in front of the endpoint's path is known to the browser alone.
    base: "./",
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    resolve: {
      alias: { "@sinclair/typebox/compiler": join(pages, "shared/no-compiler.ts") },
    },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      target: ["es2023", "chrome111", "firefox113", "safari16.4"],
      outDir,
      emptyOutDir: true,
      // A file within another would need a policy that allows `data:`.
      assetsInlineLimit: 0,
      // For people who read the package; no page names its map.
      sourcemap: "hidden",
      modulePreload: { polyfill: false },
      // xterm.js with what it is drawn by; it is loaded when a terminal is shown.
      chunkSizeWarningLimit: 700,
      license: { fileName: "licences.json" },
      rolldownOptions: {
        input: [join(pages, "index.html"), join(pages, "terminals/terminal.html")],
      },
    },
  });
  // It is served one folder further down than it lies, and built there so that its references say so.
  renameSync(join(outDir, "terminals/terminal.html"), join(outDir, "terminal.html"));
  rmSync(join(outDir, "terminals"), { recursive: true });
  rmSync(join(outDir, "licences.json"));
  return JSON.parse(output.find(({ fileName }) => fileName === "licences.json").source);
}
