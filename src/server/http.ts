import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Access } from "./access.ts";
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
} from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import { type Answer, assetAnswer, documentAnswer } from "./page/answers.ts";
import type { Pages } from "./page/files.ts";
import { COMMON_HEADERS, listPolicy, terminalPolicy } from "./policy.ts";
import type { Refusal } from "./refusal.ts";
import { type Route, type Target, targetOf } from "./routes.ts";
import { sessionAnswer, sessionRefusal } from "./session.ts";
import { methodRefusal, NOT_FOUND, UPGRADE_REQUIRED } from "./upgrade.ts";

export interface HttpOptions {
  readonly access: Access;
  readonly metrics: Metrics;
  readonly pages: Pages;
  /** The build, for `/healthz`. */
  readonly version: string;
  /** Sockets at most, those included that have not yet said what they want. */
  readonly maxSockets: number;
}

/** The HTTP side of a server: health, metrics, the session of a page and the pages. It upgrades nothing by itself. */
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
  const target = targetOf(request.url ?? "");
  const refusal = requestRefusal(options.access, request, target);
  const found =
    refusal === undefined && target !== undefined
      ? await content(options, target, request)
      : undefined;
  if (found === undefined) {
    refuse(options.metrics, response, refusal ?? NOT_FOUND);
    return;
  }
  const { status = 200, body, headers } = found;
  const length = status === 304 ? {} : { "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...COMMON_HEADERS, ...length, ...headers });
  response.end(body);
}

/** The methods that a route takes. */
const METHODS: Partial<Record<Route, readonly string[]>> = {
  session: ["GET", "HEAD", "POST", "DELETE"],
};
const READING = ["GET", "HEAD"];

/** The first thing that stands in the way. */
function requestRefusal(
  access: Access,
  request: IncomingMessage,
  target: Target | undefined,
): Refusal | undefined {
  const hostRefusal = access.host(request);
  if (hostRefusal !== undefined) return hostRefusal;
  if (target === undefined) return NOT_FOUND;
  const methods = METHODS[target.route] ?? READING;
  if (!methods.includes(request.method ?? "")) return methodRefusal(methods.join(", "));
  if (target.route === "websocket") return UPGRADE_REQUIRED;
  if (target.route === "metrics") return access.origin(request) ?? access.token(request);
  if (target.route === "session") return sessionRefusal(access, request);
  return undefined;
}

/** Absent where nothing is. */
async function content(
  { access, metrics, pages, version }: HttpOptions,
  { route, name }: Target,
  request: IncomingMessage,
): Promise<Answer | undefined> {
  const host = request.headers.host ?? "";
  switch (route) {
    case "health":
      return json({ status: "ok", version });
    case "metrics": {
      const { contentType, text } = await metrics.page();
      return { body: text, headers: { "Content-Type": contentType } };
    }
    case "session": {
      const { body, headers } = sessionAnswer(access, request);
      return { ...json(body), headers: { "Content-Type": "application/json", ...headers } };
    }
    case "asset":
      return assetAnswer(pages.assets.get(name), request);
    case "terminal":
      return documentAnswer(pages.terminal, terminalPolicy(host), request);
    default:
      return documentAnswer(pages.list, listPolicy(host), request);
  }
}

const json = (value: object): Answer => ({
  body: `${JSON.stringify(value)}\n`,
  headers: { "Content-Type": "application/json" },
});

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
