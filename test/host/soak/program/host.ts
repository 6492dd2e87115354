// The host as `termtopic host` runs it, from the sources. At SIGUSR2 it collects what nobody needs and prints what is
// left, as a line of JSON; node has to be started with --expose-gc for that.
import { host } from "../../../../src/cli/host.ts";
import { openCore } from "../../../../src/host/core.ts";

process.on("SIGUSR2", () => {
  const { gc } = globalThis;
  gc?.();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ heap: heapUsed, external })}\n`);
});

try {
  await host({ logLevel: "warn" }, openCore);
} catch (error) {
  process.stderr.write(`termtopic: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
