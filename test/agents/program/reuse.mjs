// Runs reuse.ts, which Node cannot read by itself.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module } = await runnerImport(fileURLToPath(new URL("reuse.ts", import.meta.url)));
await module.default();
process.exit();
