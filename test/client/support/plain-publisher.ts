import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { EMPTY_AGENTS, frame, PUBLISHER, terminal } from "./frames.ts";

interface Conversation {
  send(text: string): void;
  end(): void;
}

/** A publisher of generation 4 written from the contract's text alone: no chain, no bookmarks, none of the
 * additions. It serves a WebSocket and a Unix socket. */
export class PlainPublisher {
  readonly token = "let-me-in";
  readonly folder = mkdtempSync(join(tmpdir(), "client-"));
  readonly socketPath = join(this.folder, "p.sock");
  readonly conversations = new Set<Conversation>();
  rows: object[] = [terminal(1), terminal(2)];
  agents: object[] = [];
  generation = 4;
  /** What an upgrade is answered with instead of being let in. */
  refusal: string | undefined;
  /** The headers of the last upgrade. */
  upgrade: IncomingMessage["headers"] = {};
  readonly #http = createHttpServer((_request, response) => response.writeHead(404).end());
  readonly #unix = createServer((socket) => {
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    const conversation = {
      send: (text: string) => socket.write(text),
      end: () => socket.destroy(),
    };
    let rest = "";
    this.#converse(conversation, (hear) => {
      socket.on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) hear(line);
      });
      socket.on("close", () => this.conversations.delete(conversation));
    });
  });
  readonly #sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has("ccmsg.v1") ? "ccmsg.v1" : false),
  });

  async listen(): Promise<void> {
    this.#http.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
    this.#http.listen(0, "127.0.0.1");
    this.#unix.listen(this.socketPath);
    await Promise.all([once(this.#http, "listening"), once(this.#unix, "listening")]);
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/some/prefix/`;
  }

  /** Sends a message to everybody. */
  say(...messages: object[]): void {
    const text = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    for (const conversation of this.conversations) conversation.send(text);
  }

  /** Ends every conversation. */
  hangUp(): void {
    for (const conversation of this.conversations) conversation.end();
  }

  async close(): Promise<void> {
    this.hangUp();
    this.#http.close();
    this.#http.closeAllConnections();
    this.#unix.close();
    await Promise.all([once(this.#http, "close"), once(this.#unix, "close")]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.upgrade = request.headers;
    const offered = (request.headers["sec-websocket-protocol"] ?? "").split(/,\s*/);
    const isLetIn = offered.includes(`ccmsg.token.${this.token}`);
    const isThere = request.url?.endsWith("/ws") === true;
    const refusal = this.refusal ?? (isThere ? undefined : "404 Not Found");
    if (refusal !== undefined || !isLetIn) {
      const status = refusal ?? "401 Unauthorized";
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", () => {});
      const conversation = {
        send: (text: string) => webSocket.send(text),
        end: () => webSocket.terminate(),
      };
      this.#converse(conversation, (hear) => {
        webSocket.on("message", (data) => {
          for (const line of data.toString().split("\n")) hear(line);
        });
        webSocket.on("close", () => this.conversations.delete(conversation));
      });
    });
  }

  #converse(conversation: Conversation, listen: (hear: (line: string) => void) => void): void {
    this.conversations.add(conversation);
    let isGreeted = false;
    listen((line) => {
      if (line === "") return;
      const { op, request_id, topic } = JSON.parse(line);
      const answer = (...messages: object[]) =>
        conversation.send(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
      const error = (code: string) =>
        answer({ ok: false, request_id, error: { code, msg: `no ${op}` } });
      const ok = { ok: true, request_id };
      if (op === "hello.user") {
        isGreeted = true;
        answer({ ...ok, ...PUBLISHER, protocol_version: this.generation });
      } else if (!isGreeted) error("hello_required");
      else if (op !== "topic.subscribe") error("unknown_op");
      else if (topic === "terminals") {
        answer({ ...ok, topic }, frame({ snapshot: true }, this.rows));
      } else if (topic === "agents") {
        answer({ ...ok, topic }, { ...EMPTY_AGENTS, data: { agents: this.agents } });
      } else error("invalid_args");
    });
  }
}
