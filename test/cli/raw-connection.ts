import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { Publisher } from "./support.ts";

/** A person's greeting. */
export const GREETED = { op: "hello.user", protocol_version: 4 };

/** A connection over the Unix socket that asks in words of its own. */
export class RawConnection {
  readonly socket: Socket;
  readonly #waiting = new Map<string, (reply: unknown) => void>();
  #asked = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    onTestFinished(() => void socket.destroy());
    createInterface(socket).on("line", (line) => {
      const reply = JSON.parse(line) as { readonly request_id?: string };
      this.#waiting.get(reply.request_id ?? "")?.(reply);
    });
  }

  static async to({ ready }: Publisher): Promise<RawConnection> {
    const socket = connect(ready.socket);
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  ask(request: object): Promise<unknown> {
    this.#asked += 1;
    const id = String(this.#asked);
    this.socket.write(`${JSON.stringify({ request_id: id, ...request })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }
}
