import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { InstancePingResult } from "../contract/ping.ts";
import { Access } from "./access.ts";
import { isLoopback, reachableHost } from "./addresses.ts";
import { createHttp } from "./http.ts";
import { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, SPARE_SOCKETS } from "./limits.ts";
import { createMetrics } from "./metrics.ts";
import type { RunningServer, ServerOptions, StopKind } from "./options.ts";
import { NO_PAGES } from "./page/files.ts";
import { Peers } from "./peers.ts";
import type { Services } from "./services.ts";
import { Slots } from "./slots.ts";
import { carryUnix, listenUnix, type UnixListener } from "./unix.ts";
import { type Upgrades, upgrade } from "./upgrade.ts";
import { Viewers } from "./views/viewers.ts";
import { createWebSockets } from "./websocket.ts";

export type { RunningServer, ServerOptions } from "./options.ts";

const DEFAULT_HOST = "127.0.0.1";

/** Serves the hub's topics over WebSocket and Unix socket. Rejects where it cannot listen, or where an
 * option would open it to others without saying so. */
export async function createServer(options: ServerOptions): Promise<RunningServer> {
  const { identity, clock, log, hub, socketPath } = options;
  const host = options.host ?? DEFAULT_HOST;
  requireLoopback(host, options.allowPublic ?? false);
  const endpointPath = requireEndpointPath(options.endpointPath ?? "/");
  const metrics = options.metrics ?? createMetrics();
  const maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  const bound: string[] = [];
  let stopped: Promise<void> | undefined;

  const ping = (): InstancePingResult => ({
    instance: identity.instance,
    version: identity.version,
    pid: process.pid,
    started_at: identity.startedAt,
    clients: peers.size,
    exe: process.execPath,
    ...(process.argv[1] !== undefined && { script: process.argv[1] }),
    http: bound,
    network: "off",
  });
  const services: Services = {
    ...{ hub, identity, clock, log, metrics, ping },
    ...(options.terminals !== undefined && { terminals: options.terminals }),
  };
  const peers = new Peers(services);
  const { views } = options;
  const viewers = views && new Viewers({ views, clock, log, metrics });
  const access = new Access({
    instance: identity.instance,
    token: options.token,
    ...(options.readOnlyToken !== undefined && { readOnlyToken: options.readOnlyToken }),
    host,
    allowHosts: options.allowHosts ?? [],
    allowOrigins: options.allowOrigins ?? [],
    clock,
  });
  const upgrades: Upgrades = {
    peers,
    clock,
    metrics,
    access,
    viewers,
    webSockets: createWebSockets(),
    viewSockets: createWebSockets({ isPaced: true }),
    slots: new Slots(
      maxConnections,
      options.maxConnectionsPerAddress ?? MAX_CONNECTIONS_PER_ADDRESS,
    ),
    stopping: () => stopped !== undefined,
  };
  const http = createHttp({
    access,
    metrics,
    pages: options.pages ?? NO_PAGES,
    version: identity.version,
    maxSockets: maxConnections + SPARE_SOCKETS,
  });
  http.on("upgrade", (request, socket, head) => upgrade(upgrades, request, socket, head));

  const port = await listenHttp(http, host, options.port);
  // Only now: that it cannot listen is told to whoever starts it.
  http.on("error", (error) => log.error({ err: error }, "the HTTP server failed"));
  const unix = await listenUnixToo(
    socketPath,
    http,
    (socket) => carryUnix(socket, peers, clock),
    maxConnections,
  );
  const authority = port === 80 ? reachableHost(host) : `${reachableHost(host)}:${port}`;
  bound.push(`${reachableHost(host)}:${port}`);
  log.info({ endpoint: `http://${authority}${endpointPath}`, socket: socketPath }, "serving");

  const stop = async (kind: StopKind): Promise<void> => {
    const httpClosed = new Promise<void>((resolve) => http.close(() => resolve()));
    const unixClosed = unix?.close();
    if (kind === "restart") peers.tellRestarting();
    const reason = kind === "restart" ? "restarting" : "going_away";
    const closed = Promise.all([peers.closeAll(reason), viewers?.closeAll(reason)]).then(() =>
      http.closeAllConnections(),
    );
    await Promise.all([closed, httpClosed, unixClosed]);
    log.info({ kind }, "stopped serving");
  };
  return {
    endpoint: `http://${authority}${endpointPath}`,
    port,
    ...(socketPath !== undefined && { socket: socketPath }),
    metrics,
    connections: () => peers.size,
    stop: (kind) => {
      stopped ??= stop(kind);
      return stopped;
    },
  };
}

function requireLoopback(host: string, allowPublic: boolean): void {
  if (allowPublic || isLoopback(host)) return;
  throw new Error(
    `\`host\` must be a loopback address unless a public one is allowed (\`allowPublic\`, --public), got "${host}"`,
  );
}

function requireEndpointPath(path: string): string {
  if (/^\/(?:[^?#\s]*\/)?$/.test(path)) return path;
  throw new Error(`\`endpointPath\` must begin and end with "/", got "${path}"`);
}

function listenHttp(http: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException) => reject(listenError(cause, host, port));
    http.once("error", refuse);
    http.listen(port, host, () => {
      http.off("error", refuse);
      resolve((http.address() as AddressInfo).port);
    });
  });
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  if (cause.code === "EADDRINUSE") {
    return new Error(`port ${port} of ${host} is taken; choose another with --port`, { cause });
  }
  return new Error(`cannot listen on ${host}, port ${port}: ${cause.message}`, { cause });
}

/** Listens on the Unix socket where one is asked for; where it cannot, the port is given back. */
async function listenUnixToo(
  path: string | undefined,
  http: Server,
  accept: Parameters<typeof listenUnix>[1],
  maxConnections: number,
): Promise<UnixListener | undefined> {
  if (path === undefined) return undefined;
  try {
    return await listenUnix(path, accept, maxConnections);
  } catch (error) {
    await new Promise((resolve) => http.close(resolve));
    throw error;
  }
}
