import { connectHost, type HostConnection } from "../host/client/connect-host.ts";
import type { Cancel, Clock } from "../time/clock.ts";

/** How long a connection to the host is kept after it was used, in milliseconds: who types mostly types on, and a host ends
 * only some time after its last connection. */
export const KEEP_MS = 10_000;

export interface KeptHostParts {
  readonly clock: Clock;
  /** The socket for channels of the host that runs; `undefined` where none does. */
  channel(): Promise<string | undefined>;
}

/** One connection to the host for all that is done one after the other. */
export class KeptHost {
  readonly #parts: KeptHostParts;
  #connection: Promise<HostConnection | undefined> | undefined;
  #users = 0;
  #letGo: Cancel | undefined;

  constructor(parts: KeptHostParts) {
    this.#parts = parts;
  }

  /** Does something with the host; with `undefined` where none runs. */
  async use<Result>(
    run: (connection: HostConnection | undefined) => Promise<Result>,
  ): Promise<Result> {
    this.#letGo?.();
    this.#users += 1;
    try {
      return await run(await this.#reach());
    } finally {
      this.#users -= 1;
      if (this.#users === 0) {
        this.#letGo = this.#parts.clock.schedule(KEEP_MS, () => this.#close());
      }
    }
  }

  #reach(): Promise<HostConnection | undefined> {
    if (this.#connection !== undefined) return this.#connection;
    const made = this.#dial(() => {
      if (this.#connection === made) this.#connection = undefined;
    });
    this.#connection = made;
    return made;
  }

  /** `isOver`: the connection is of no use any more, or there is none. */
  async #dial(isOver: () => void): Promise<HostConnection | undefined> {
    try {
      const path = await this.#parts.channel();
      if (path !== undefined) return await connectHost({ path, end: isOver });
    } catch (error) {
      isOver();
      throw error;
    }
    isOver();
    return undefined;
  }

  #close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    void connection?.then((made) => made?.close());
  }
}
