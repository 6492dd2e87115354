import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Access } from "./access.ts";
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
} from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import { PAGE, STYLE } from "./page/document.ts";
import { SCRIPT } from "./page/script.ts";
import type { Refusal } from "./refusal.ts";
import { type Route, routeOf } from "./routes.ts";
import { methodRefusal, NOT_FOUND, UPGRADE_REQUIRED } from "./upgrade.ts";

export interface HttpOptions {
  readonly access: Access;
  readonly metrics: Metrics;
  /** The build, for `/healthz`. */
  readonly version: string;
  /** Sockets at most, those included that have not yet said what they want. */
  readonly maxSockets: number;
}

/** What every answer says: it is not to be kept, guessed about, framed, or told to others. */
const COMMON_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** The HTTP side of a server: health, metrics and the page. It upgrades nothing by itself. */
export function createHttp(options: HttpOptions): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: HEADERS_TIMEOUT_MS,
    },
    (request, response) => {
      void answer(options, request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = options.maxSockets;
  return server;
}

async function answer(
  options: HttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = routeOf(request.url ?? "");
  const refusal = requestRefusal(options.access, request, route);
  if (refusal !== undefined || route === undefined) {
    refuse(options.metrics, response, refusal ?? NOT_FOUND);
    return;
  }
  const { type, body, headers } = await content(options, route, request);
  response.writeHead(200, {
    ...COMMON_HEADERS,
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** The first thing that stands in the way. */
function requestRefusal(
  access: Access,
  request: IncomingMessage,
  route: Route | undefined,
): Refusal | undefined {
  const hostRefusal = access.host(request);
  if (hostRefusal !== undefined) return hostRefusal;
  if (route === undefined) return NOT_FOUND;
  if (request.method !== "GET" && request.method !== "HEAD") return methodRefusal("GET, HEAD");
  if (route === "websocket") return UPGRADE_REQUIRED;
  if (route === "metrics") return access.origin(request) ?? access.token(request);
  return undefined;
}

interface Content {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function content(
  { metrics, version }: HttpOptions,
  route: Route,
  request: IncomingMessage,
): Promise<Content> {
  switch (route) {
    case "health":
      return { type: "application/json", body: `${JSON.stringify({ status: "ok", version })}\n` };
    case "metrics": {
      const { contentType, text } = await metrics.page();
      return { type: contentType, body: text };
    }
    case "script":
      return { type: "text/javascript; charset=utf-8", body: SCRIPT };
    case "style":
      return { type: "text/css; charset=utf-8", body: STYLE };
    default:
      return {
        type: "text/html; charset=utf-8",
        body: PAGE,
        headers: { "Content-Security-Policy": policy(request.headers.host ?? "") },
      };
  }
}

/** The page may load its own two files and connect to where it came from. The host is spelled out too,
 * since not every browser takes `'self'` for a WebSocket; it has passed the list of hosts. */
function policy(host: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ws://${host} wss://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function refuse(metrics: Metrics, response: ServerResponse, refusal: Refusal): void {
  const body = `${refusal.message}\n`;
  metrics.refused(refusal.reason);
  response.writeHead(refusal.status, {
    ...COMMON_HEADERS,
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    ...refusal.headers,
  });
  response.end(body);
}
