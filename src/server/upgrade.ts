import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocketServer } from "ws";
import type { Access } from "./access.ts";
import { hostOf } from "./addresses.ts";
import type { Refusal } from "./refusal.ts";
import { type Target, targetOf } from "./routes.ts";
import type { Slots } from "./slots.ts";
import type { Viewers } from "./views/viewers.ts";
import { carryWebSocket, type WebSocketHost } from "./websocket.ts";

export interface Upgrades extends WebSocketHost {
  readonly webSockets: WebSocketServer;
  /** Those of views, whose peers may send as many small messages as they like. */
  readonly viewSockets: WebSocketServer;
  readonly access: Access;
  readonly slots: Slots;
  /** Absent where terminals cannot be viewed. */
  readonly viewers: Viewers | undefined;
  /** Whether the server has begun to stop. */
  stopping(): boolean;
}

/** Makes a connection of an HTTP request that asks for a WebSocket, or answers why not. */
export function upgrade(
  server: Upgrades,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  // A peer that resets before the upgrade is done must not end the process.
  socket.on("error", () => socket.destroy());
  const address = hostOf(request.socket.remoteAddress ?? "");
  const target = targetOf(request.url ?? "");
  const refusal = upgradeRefusal(server, request, target, address);
  if (refusal !== undefined || target === undefined) {
    refuse(server, socket, refusal ?? NOT_FOUND);
    return;
  }
  const isReadOnly = server.access.isReadOnly(request);
  const isView = target.route !== "websocket";
  const sockets = isView ? server.viewSockets : server.webSockets;
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    const release = server.slots.take(address);
    webSocket.once("close", release);
    if (!isView) carryWebSocket(webSocket, server, isReadOnly);
    else {
      const readOnly = isReadOnly || asksToLook(target);
      const instance = target.query.get("instance");
      const where = instance === null ? {} : { instance };
      server.viewers?.add(webSocket, { id: target.name, ...where, readOnly });
    }
  });
}

/** Who may act may ask for a view that only looks. */
const asksToLook = ({ query }: Target) => query.get("read_only") === "true";

function refuse(server: Upgrades, socket: Duplex, refusal: Refusal): void {
  server.metrics.refused(refusal.reason);
  answerRefusal(socket, refusal);
}

/** The first thing that stands in the way. Who holds no token learns nothing but that. */
function upgradeRefusal(
  server: Upgrades,
  request: IncomingMessage,
  target: Target | undefined,
  address: string,
): Refusal | undefined {
  return (
    server.access.host(request) ??
    handshakeRefusal(server, request, target) ??
    server.access.origin(request) ??
    server.access.token(request) ??
    (server.stopping() ? STOPPING : undefined) ??
    server.slots.refusal(address)
  );
}

const STOPPING: Refusal = { status: 503, reason: "stopping", message: "the publisher is stopping" };

export const NOT_FOUND: Refusal = { status: 404, reason: "path", message: "nothing is here" };

export const UPGRADE_REQUIRED: Refusal = {
  status: 426,
  reason: "not_upgrade",
  message: "this is a WebSocket",
  headers: { Upgrade: "websocket", Connection: "Upgrade" },
};

/** Key and version of the handshake are checked by `ws`, which answers 400. */
function handshakeRefusal(
  { viewers }: Upgrades,
  request: IncomingMessage,
  target: Target | undefined,
): Refusal | undefined {
  const isView = target?.route === "terminal" && target.name !== "" && viewers !== undefined;
  if (target?.route !== "websocket" && !isView) return NOT_FOUND;
  if (request.method !== "GET") return methodRefusal("GET");
  if (request.headers.upgrade?.toLowerCase() !== "websocket") return UPGRADE_REQUIRED;
  return undefined;
}

export function methodRefusal(allow: string): Refusal {
  const message = `only ${allow} is answered here`;
  return { status: 405, reason: "method", message, headers: { Allow: allow } };
}

/** Answers on a socket that HTTP has let go of. */
function answerRefusal(socket: Duplex, { status, message, headers }: Refusal): void {
  const body = `${message}\n`;
  const lines = Object.entries({
    Connection: "close",
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.once("finish", () => socket.destroy());
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
}
