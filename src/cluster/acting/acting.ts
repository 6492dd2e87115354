import { errors, type NatsConnection } from "@nats-io/transport-node";
import type { TerminalOps } from "../../acting/ops/call.ts";
import type { Views } from "../../acting/views/published.ts";
import type { Clock } from "../../time/clock.ts";
import { DistantTerminalOps } from "./calls.ts";
import { OwnerCalls, type PeerCalls } from "./owner-calls.ts";
import { type DistantLook, type DistantLooker, DistantViews } from "./views.ts";

export interface DistantActingParts {
  readonly instance: string;
  readonly bucket: string;
  readonly clock: Clock;
  /** What is done with terminals here. */
  readonly terminals: TerminalOps;
  readonly views: Views;
  /** Somebody at another instance begins to look at a terminal here; what it answers is called at the end. */
  viewed(looker: DistantLooker): (look: DistantLook) => void;
  /** What carries out the calls that come from one other instance. */
  callsFrom(instance: string): PeerCalls;
}

/** Acting on terminals and looking at them, wherever they are. */
export class DistantActing {
  readonly terminals: TerminalOps;
  readonly views: Views;
  readonly #parts: DistantActingParts;
  readonly #ops: DistantTerminalOps;
  readonly #views: DistantViews;
  #connection: NatsConnection | undefined;
  #calls: OwnerCalls | undefined;
  #isUp = false;

  constructor(parts: DistantActingParts) {
    this.#parts = parts;
    const { instance, bucket, clock, terminals, views } = parts;
    const connection = () => (this.#isUp ? this.#connection : undefined);
    const shared = { instance, bucket, clock, connection };
    this.#ops = new DistantTerminalOps({ ...shared, local: terminals });
    this.#views = new DistantViews({ ...shared, local: views, viewed: parts.viewed });
    this.terminals = this.#ops;
    this.views = this.#views;
  }

  /** A connection was made. What it answers is for when it is over for good. */
  connected(connection: NatsConnection): () => void {
    this.#connection = connection;
    void this.#hearRefusals(connection);
    return () => {
      this.down();
      this.#connection = undefined;
    };
  }

  /** What the bus does not let through is refused in an error of the connection. */
  async #hearRefusals(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== "error") continue;
      const { error } = status;
      if (error instanceof errors.PermissionViolationError && error.operation === "publish") {
        this.#ops.refused(error.subject);
      }
    }
  }

  /** This instance takes part: it listens to the others. */
  up(): void {
    const connection = this.#connection;
    if (this.#isUp || connection === undefined) return;
    this.#isUp = true;
    this.#calls = new OwnerCalls(connection, this.#parts);
    this.#views.listen(connection);
  }

  /** The publisher stops while the connection holds: others are told. */
  stop(): void {
    const why = `the publisher of the instance ${this.#parts.instance} stops`;
    this.#calls?.end(why);
    this.#views.stop(why);
  }

  /** It does not: what was on its way is lost. */
  down(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#calls?.end();
    this.#ops.disconnected();
    this.#views.end();
  }
}
