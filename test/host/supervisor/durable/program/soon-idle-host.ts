// A host that ends itself as soon as nobody needs it.
import { host } from "../../../../../src/cli/host.ts";
import { openCore } from "../../../../../src/host/core.ts";

try {
  await host({ logLevel: "warn", idle: 50 }, openCore);
} catch (error) {
  process.stderr.write(`termtopic: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
