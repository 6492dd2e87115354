// The host as `termtopic host` runs it, from the sources.
import { host } from "../../../../src/cli/host.ts";
import { openCore } from "../../../../src/host/core.ts";

try {
  await host({ logLevel: "warn" }, openCore);
} catch (error) {
  process.stderr.write(`termtopic: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
