import type { WebSocket } from "ws";
import type { CloseReason } from "../close-codes.ts";
import { ViewConnection, type ViewConnectionOptions, type ViewServices } from "./connection.ts";

/** How much of an id is logged, in UTF-16 units. */
const SHOWN = 128;

/** The views of a server that are open. */
export class Viewers {
  readonly #open = new Set<ViewConnection>();
  readonly #services: ViewServices;
  #whenEmpty: (() => void) | undefined;

  constructor(services: ViewServices) {
    this.#services = services;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Makes a view of a WebSocket that was let in. */
  add(socket: WebSocket, options: ViewConnectionOptions): void {
    const { clock, log, metrics } = this.#services;
    const beganAt = clock.monotonic();
    const instance = options.instance?.slice(0, SHOWN);
    const connection = new ViewConnection(socket, this.#services, options);
    this.#open.add(connection);
    socket.on("close", () => {
      const { terminal, ...rest } = connection.summary;
      const ms = Math.round(clock.monotonic() - beganAt);
      const whose = { terminal: terminal.slice(0, SHOWN), instance };
      log.info({ ...whose, ...rest, ms }, "view ended");
      metrics.viewed(rest.reason);
      this.#remove(connection);
    });
    metrics.viewing(this.#open.size);
    const { id, readOnly } = options;
    log.info({ terminal: id.slice(0, SHOWN), instance, readOnly }, "viewed");
    void connection.begin();
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

  #remove(connection: ViewConnection): void {
    this.#open.delete(connection);
    this.#services.metrics.viewing(this.#open.size);
    if (this.#open.size === 0) this.#whenEmpty?.();
  }
}
