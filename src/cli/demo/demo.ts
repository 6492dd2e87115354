import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT } from "../failure.ts";
import { requirePlatform } from "../platform.ts";
import { onStopSignals } from "../signals.ts";
import type { Child } from "./child.ts";
import { DemoHost } from "./host.ts";
import { startNats } from "./nats.ts";

const NAMES = ["atlas", "borea", "ceres"] as const;

export interface DemoOptions {
  /** Of the first host's dashboard. */
  readonly port: number;
}

/** Shows three hosts as one list, all on this machine, until a signal ends it. What it starts and writes is gone afterwards; nothing
 * else is touched. */
export async function demo({ port }: DemoOptions): Promise<void> {
  requirePlatform();
  // Paths of sockets are short.
  const folder = mkdtempSync(join(tmpdir(), "tt-demo-"));
  const hosts = NAMES.map((name) => new DemoHost(folder, name));
  let nats: Child | undefined;
  const end = async () => {
    await Promise.all(hosts.map((host) => host.end()));
    await nats?.end();
    rmSync(folder, { recursive: true, force: true });
  };
  const stopped = new Promise<void>((resolve) => {
    onStopSignals({ first: () => resolve(), again: () => {} });
  });
  try {
    const server = await startNats(folder);
    nats = server.child;
    const started = Promise.all(
      hosts.map((host, index) => host.start(server.url, index === 0 ? port : 0)),
    );
    started.catch(() => {});
    const all = await Promise.race([started, stopped.then(() => [])]);
    const [first] = all;
    if (first !== undefined) tell(first.address, server.url);
    await Promise.race([stopped, nats.over, ...all.map(({ over }) => over)]);
  } finally {
    await end();
  }
  process.exit(EXIT.ok);
}

function tell(address: string, nats: string): void {
  process.stdout.write(
    [
      `Three hosts (${NAMES.join(", ")}) share their terminals over a nats-server at ${nats}.`,
      `Open ${address}`,
      "Ctrl-C ends all of it and leaves nothing behind.",
      "",
    ].join("\n"),
  );
}
