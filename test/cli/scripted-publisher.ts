import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { AgentInfo } from "../../src/contract/agents.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { INSTANCE } from "./rows.ts";

/** A publisher that says what the test does, in the words of the contract's first version. */
export class ScriptedPublisher {
  instance = INSTANCE;
  terminals: TerminalInfo[] = [];
  /** The rows of `agents`, or the code that subscribing to them is refused with. */
  agents: AgentInfo[] | string = [];
  /** When it read the agents. Absent: it never says. */
  agentsPolledAt: number | undefined = 1;
  readonly #server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    handleProtocols: () => "ccmsg.v1",
  });

  static async listen(fields: Partial<ScriptedPublisher> = {}): Promise<ScriptedPublisher> {
    const publisher = Object.assign(new ScriptedPublisher(), fields);
    const server = publisher.#server;
    if (server.address() === null) await once(server, "listening");
    server.on("connection", (socket) => publisher.#converse(socket));
    onTestFinished(() => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    });
    return publisher;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Sends a change of a topic to everybody. */
  change(topic: "terminals" | "agents", rows: readonly object[]): void {
    for (const socket of this.#server.clients) send(socket, this.#frame(topic, rows));
  }

  #converse(socket: WebSocket): void {
    socket.on("error", () => {});
    socket.on("message", (data) => {
      for (const line of data.toString().split("\n").filter(Boolean)) {
        this.#answer(socket, JSON.parse(line));
      }
    });
  }

  #answer(socket: WebSocket, { op, request_id, topic }: Record<string, string>): void {
    if (op === "hello.user") {
      const instances = [{ id: this.instance, host: "desk", reachable: true }];
      const greeting = {
        protocol_version: 4,
        instance: this.instance,
        instances,
        capabilities: [],
      };
      send(socket, { ok: true, request_id, ...greeting, version: "1.0.0", started_at: 1 });
    } else if (topic === "agents" && typeof this.agents === "string") {
      send(socket, { ok: false, request_id, error: { code: this.agents, msg: "not here" } });
    } else if (topic === "agents") {
      const polled = this.agentsPolledAt === undefined ? {} : { polled_at: this.agentsPolledAt };
      send(socket, { ok: true, request_id, topic });
      send(socket, { ...this.#frame("agents", this.agents as object[], polled), snapshot: true });
    } else if (topic === "terminals") {
      send(socket, { ok: true, request_id, topic });
      send(socket, {
        ...this.#frame("terminals", this.terminals, { polled_at: 1 }),
        snapshot: true,
      });
    }
  }

  #frame(topic: "terminals" | "agents", rows: readonly object[], more: object = {}): object {
    const { instance } = this;
    return { ev: "topic", topic, instance, data: { [topic]: rows, ...more } };
  }
}

function send(socket: WebSocket, message: object): void {
  socket.send(`${JSON.stringify(message)}\n`);
}
