import type { RestartingEvent } from "../contract/events.ts";
import type { CloseReason } from "./close-codes.ts";
import { type Carrier, Connection } from "./connection.ts";
import type { Services } from "./services.ts";

/** The connections of a server that are open, over every carrier. */
export class Peers {
  readonly #open = new Set<Connection>();
  readonly #services: Services;
  #whenEmpty: (() => void) | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  get size(): number {
    return this.#open.size;
  }

  /** `isReadOnly`: whether it may look and not act. */
  add(carrier: Carrier, isReadOnly = false): Connection {
    const connection = new Connection(carrier, this.#services, isReadOnly);
    this.#open.add(connection);
    this.#services.log.debug({ carrier: carrier.kind }, "connected");
    return connection;
  }

  remove(connection: Connection): void {
    connection.end();
    this.#open.delete(connection);
    this.#services.log.debug({ role: connection.role }, "disconnected");
    if (this.#open.size === 0) this.#whenEmpty?.();
  }

  /** Tells those that have greeted that the publisher comes back. */
  tellRestarting(): void {
    const { instance } = this.#services.identity;
    const event: RestartingEvent = { ev: "restarting", instance };
    for (const connection of this.#open) {
      if (connection.role !== undefined) connection.tell(event);
    }
  }

  /** Closes all for that reason. Resolves when none is left. */
  async closeAll(reason: CloseReason): Promise<void> {
    if (this.#open.size === 0) return;
    const emptied = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    for (const connection of [...this.#open]) connection.close(reason);
    await emptied;
  }
}
