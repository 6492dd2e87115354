import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Logger, pino } from "pino";
import type { InstanceInfo } from "../contract/instances.ts";
import { runtimeFolder, stateFolder } from "../files/folders.ts";
import { MAX_SOCKET_PATH } from "../files/unix-path.ts";
import type { Claim } from "../processes/claim.ts";
import { createProcessTable } from "../processes/index.ts";
import type { ProcessTable } from "../processes/types.ts";
import { isLoopback } from "../server/addresses.ts";
import { createMetrics } from "../server/metrics.ts";
import { readPages } from "../server/page/files.ts";
import { createServer, type RunningServer } from "../server/server.ts";
import { loadToken, READ_ONLY_TOKEN_FILE } from "../server/token.ts";
import { systemClock } from "../time/clock.ts";
import { type HostTopics, offerHostTopics } from "../topics/host.ts";
import { Topics } from "../topics/hub.ts";
import { type StartedCluster, startCluster } from "./cluster.ts";
import type { ClusterFlags } from "./cluster-options.ts";
import { EXIT, endOnFault, UsageError } from "./failure.ts";
import { addressWithToken } from "./link.ts";
import { logOutput } from "./log-output.ts";
import type { InventoryOptions, LogLevel } from "./options.ts";
import { isScreen, outliveOutput } from "./output.ts";
import { requirePlatform } from "./platform.ts";
import { claim, type PublisherPlaces } from "./publisher.ts";
import { type ReadyFile, writeReadyFile } from "./ready-file.ts";
import { onStopSignals } from "./signals.ts";
import { openSources } from "./sources.ts";
import { loadInstanceId, openStateFolder } from "./state.ts";
import { terminalServices } from "./terminal-services.ts";
import { VERSION } from "./version.ts";

/** The pages as they are built, beside the program. */
const PAGES = fileURLToPath(new URL("../dashboard", import.meta.url));

export interface ServeOptions extends InventoryOptions, ClusterFlags {
  readonly host: string;
  readonly port: number;
  /** Whether `host` may be reachable from other hosts. */
  readonly public?: boolean;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  /** An absolute path. */
  readonly readyFile?: string;
  readonly logLevel: LogLevel;
}

/** Publishes the host's terminals until a signal ends it. Resolves once it listens. */
export async function serve(options: ServeOptions): Promise<void> {
  requirePublic(options);
  requirePlatform();
  outliveOutput();
  const folder = stateFolder();
  await openStateFolder(folder);
  const table = createProcessTable({ clock: systemClock });
  const claimed = await claim(folder, table);
  const log = pino({ level: options.logLevel }, logOutput);
  endOnFault((fault) => log.fatal({ err: fault }, "ended by a fault"));
  await publish(options, { folder, table, claimed, log });
}

interface Ground {
  readonly folder: string;
  readonly table: ProcessTable;
  readonly claimed: Claim<PublisherPlaces>;
  readonly log: Logger;
}

async function publish(
  options: ServeOptions,
  { folder, table, claimed, log }: Ground,
): Promise<void> {
  const clock = systemClock;
  const instance = await loadInstanceId(folder);
  const token = await loadToken(folder);
  const readOnlyToken = await loadToken(folder, READ_ONLY_TOKEN_FILE);
  const socketPath = socketPathOf(folder, instance);
  const metrics = createMetrics();
  const topics = new Topics({ clock, onFlush: ({ lagMs }) => metrics.lag(lagMs) });
  const epoch = randomBytes(8).toString("hex");
  const hostName = options.hostName ?? hostname();
  const self: InstanceInfo = { id: instance, host: hostName, reachable: true };
  const host = offerHostTopics({
    topics,
    observation: {
      clock,
      instance,
      table,
      ...(await openSources({ clock, table, instance, options })),
      onReading: ({ scheme, outcome, ms }) => metrics.reading(scheme, outcome, ms ?? 0),
    },
    epoch,
    self,
  });
  const services = terminalServices(instance, host, table, options);
  const others = await startCluster(options, {
    producer: { instance, host: hostName, epoch },
    ...{ topics, host, self, clock, log, metrics, services },
  });
  const server = await createServer({
    host: options.host,
    port: options.port,
    allowPublic: options.public ?? false,
    allowHosts: options.allowHost ?? [],
    allowOrigins: options.allowOrigin ?? [],
    socketPath,
    token,
    readOnlyToken,
    hub: topics,
    ...(others?.services ?? services),
    pages: readPages(PAGES),
    identity: { instance, version: VERSION, startedAt: clock.now(), hostName },
    clock,
    log,
    metrics,
  });
  const { endpoint, port } = server;
  const places: PublisherPlaces = { instance, endpoint, socket: socketPath, port };
  let ready: ReadyFile | undefined;
  try {
    await claimed.state(places);
    ready =
      options.readyFile === undefined ? undefined : await writeReadyFile(options.readyFile, places);
  } catch (error) {
    await server.stop("stop");
    throw error;
  }
  const running = { host, others, server, ready, table, log };
  stopOnSignals(running);
  void others?.refusal.then(async (why) => {
    process.stderr.write(`termtopic: ${why}\n`);
    await stop(running, "stop");
    process.exit(EXIT.failed);
  });
  greet(endpoint, token);
}

interface Running {
  readonly host: HostTopics;
  readonly others: StartedCluster | undefined;
  readonly server: RunningServer;
  readonly ready: ReadyFile | undefined;
  readonly table: ProcessTable;
  readonly log: Logger;
}

/** SIGTERM and SIGINT take the rows back; SIGHUP says that the publisher comes back, and keeps them. */
function stopOnSignals(running: Running): void {
  const { log } = running;
  onStopSignals({
    async first(signal) {
      const kind = signal === "SIGHUP" ? "restart" : "stop";
      log.info({ signal, kind }, "stopping");
      await stop(running, kind);
      process.exit(EXIT.ok);
    },
    again(signal) {
      log.warn({ signal }, "ended before every connection was closed");
      process.exit(EXIT.failed);
    },
  });
}

async function stop(
  { host, others, server, ready, table }: Running,
  kind: "stop" | "restart",
): Promise<void> {
  if (kind === "stop") host.end();
  const left = others?.end(kind === "stop" ? "stopped" : "restarting");
  await Promise.all([server.stop(kind), left]);
  await ready?.remove();
  table.close();
}

function requirePublic({ host, public: isPublic = false }: ServeOptions): void {
  if (isPublic || isLoopback(host)) return;
  throw new UsageError(
    `--host must be a loopback address unless --public is given, got "${host}"; with --public everybody who can reach it and has the token sees your terminals, and nothing is encrypted`,
  );
}

/** Several publishers, each with its own state folder, may share a runtime folder. */
function socketPathOf(folder: string, instance: string): string {
  const path = join(runtimeFolder(folder), `${instance.slice(0, 8)}.sock`);
  const length = Buffer.byteLength(path);
  if (length <= MAX_SOCKET_PATH) return path;
  throw new Error(
    `the path of the Unix socket must be at most ${MAX_SOCKET_PATH} bytes, ${path} has ${length}; name a shorter folder with TERMTOPIC_RUNTIME_DIR`,
  );
}

/** The token is shown on a terminal alone: elsewhere the output may end up in a log. */
function greet(endpoint: string, token: string): void {
  const how = isScreen()
    ? `Open ${addressWithToken(endpoint, token)}`
    : "Open the address that `termtopic url` prints: it holds the token.";
  process.stdout.write(`termtopic serves the terminals of this host at ${endpoint}\n${how}\n`);
}
