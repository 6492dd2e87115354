import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Flow, type Passing } from "./flow.ts";

/** A TCP link that stands between clients and a server, and that a test disturbs. */
export class CuttableLink {
  readonly port: number;
  readonly #server: Server;
  readonly #target: number;
  readonly #pairs = new Map<Socket, { far: Socket; flows: Flow[] }>();
  #passing: Passing = { held: false, delayMs: 0 };
  #cut = false;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (near) => this.#join(near));
  }

  /** To the port on this host; it need not be listened at yet. */
  static async to(port: number): Promise<CuttableLink> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new CuttableLink(server, port);
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** How many connections go through it. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Ends every connection and lets no new one through, until `heal`. */
  cut(): void {
    this.#cut = true;
    this.drop();
  }

  /** Nothing passes in either direction, and neither end is told: a cable that was pulled. What was underway passes at
   * `heal`. */
  hold(): void {
    this.#passing = { ...this.#passing, held: true };
  }

  /** From now on every byte arrives so much later, in order. */
  delay(delayMs: number): void {
    this.#passing = { ...this.#passing, delayMs };
  }

  /** Ends every connection once; new ones come through. */
  drop(): void {
    for (const [near, { far }] of this.#pairs) {
      near.destroy();
      far.destroy();
    }
  }

  /** All passes again, at once. */
  heal(): void {
    this.#cut = false;
    this.#passing = { held: false, delayMs: 0 };
    for (const { flows } of this.#pairs.values()) for (const flow of flows) flow.pass();
  }

  async end(): Promise<void> {
    this.cut();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  #join(near: Socket): void {
    // Whoever connects learns of the cut from the end of its connection.
    near.on("error", () => {});
    if (this.#cut) {
      near.destroy();
      return;
    }
    const far = connect(this.#target, "127.0.0.1");
    // A cable keeps nothing back until what it passed on before is acknowledged.
    for (const end of [near, far]) end.setNoDelay(true);
    far.on("error", () => {});
    const passing = () => this.#passing;
    const flows = [new Flow(near, far, passing), new Flow(far, near, passing)];
    this.#pairs.set(near, { far, flows });
    near.on("close", () => {
      this.#pairs.delete(near);
      far.destroy();
    });
    far.on("close", () => near.destroy());
  }
}

/** A link to a server on this host, such as a `NatsServer`. */
export const cuttableLink = ({ port }: { readonly port: number }): Promise<CuttableLink> =>
  CuttableLink.to(port);
