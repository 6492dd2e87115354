import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Child } from "./child.ts";
import { contentOf } from "./content.ts";

const MISSING =
  "nats-server is not installed: it is what connects the hosts. On Debian and Ubuntu: apt install nats-server; elsewhere it is one file, from https://github.com/nats-io/nats-server/releases, to be put into a folder of PATH";

/** Starts a nats-server on a port of its own, for this machine alone, and answers its address. */
export async function startNats(folder: string): Promise<{ child: Child; url: string }> {
  const file = join(folder, "nats.conf");
  writeFileSync(
    file,
    [
      'listen: "127.0.0.1:-1"',
      `ports_file_dir: ${JSON.stringify(folder)}`,
      `jetstream { store_dir: ${JSON.stringify(join(folder, "store"))} }`,
      "",
    ].join("\n"),
  );
  const child = new Child({
    what: "nats-server",
    command: ["nats-server", "-c", file],
    missing: MISSING,
  });
  const ports = join(folder, `nats-server_${child.pid}.ports`);
  const text = await contentOf(ports, child.over, "nats-server");
  const [url] = (JSON.parse(text) as { nats: string[] }).nats;
  return { child, url: url ?? "" };
}
