import { createServer, type Server, type Socket } from "node:net";
import { type PublishedSocket, publishSocket } from "../../files/unix-path.ts";
import type { Clock } from "../../time/clock.ts";

/** Connections at most on one socket. Each socket has its own, so that viewers without number keep no publisher away. */
const MAX_HOST_CONNECTIONS = 128;

/** How long one that is refused may take to read why, in milliseconds. */
const REFUSAL_MS = 1_000;

/** How many beside those that are served may be reading that they are refused; more are cut without a word. */
const MAX_REFUSALS = 64;

const TOO_MANY =
  "the host has as many connections on this socket as it may; try again when one has ended";

/** One of the host's sockets. */
export interface HostSocket {
  readonly path: string;
  /** Whether a peer that has said all may still read. */
  readonly allowHalfOpen: boolean;
  accept(socket: Socket): void;
  /** Says to one that comes beyond the limit why it is not served. */
  refusal(why: string): Uint8Array;
}

export interface HostSocketsOptions {
  readonly clock: Clock;
  readonly sockets: readonly HostSocket[];
  /** Default MAX_HOST_CONNECTIONS. */
  readonly maxConnections?: number | undefined;
  /** A connection came or went. */
  readonly changed: () => void;
  /** Something went wrong that ended at most one connection. */
  readonly failed: (error: unknown) => void;
}

interface Listening {
  readonly server: Server;
  readonly published: PublishedSocket;
}

/** The sockets of a host and who is connected to them. */
export class HostSockets {
  readonly #options: HostSocketsOptions;
  readonly #listening = new Map<HostSocket, Listening>();
  readonly #connections = new Map<HostSocket, Set<Socket>>();
  #repair: Promise<void> | undefined;

  constructor(options: HostSocketsOptions) {
    this.#options = options;
    for (const socket of options.sockets) this.#connections.set(socket, new Set());
  }

  get connections(): number {
    return [...this.#connections.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Listens on all of them, or on none. */
  async open(): Promise<void> {
    try {
      for (const socket of this.#options.sockets) await this.#open(socket);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Puts back each name that somebody took away, such as one who cleans folders up. One that is another's stays. */
  repair(): Promise<void> {
    this.#repair ??= this.#repairAll().finally(() => {
      this.#repair = undefined;
    });
    return this.#repair;
  }

  /** Takes the names away: nobody comes any more. Who is connected stays. */
  async hide(): Promise<void> {
    await this.#repair;
    await Promise.all([...this.#listening.values()].map(({ published }) => published.unpublish()));
  }

  /** Accepts no more, and cuts who is connected. */
  async close(): Promise<void> {
    await this.hide();
    for (const { server } of this.#listening.values()) server.close();
    this.#listening.clear();
    for (const open of this.#connections.values()) for (const socket of open) socket.destroy();
  }

  async #repairAll(): Promise<void> {
    for (const [socket, { published, server }] of this.#listening) {
      if ((await published.standing()) !== "gone") continue;
      await this.#open(socket);
      // Those that it has accepted stay.
      server.close();
    }
  }

  async #open(socket: HostSocket): Promise<void> {
    const { allowHalfOpen, path } = socket;
    const server = createServer({ allowHalfOpen }, (peer) => this.#take(socket, peer));
    server.maxConnections = this.#limit + MAX_REFUSALS;
    const published = await publishSocket(server, path);
    server.on("error", this.#options.failed);
    this.#listening.set(socket, { server, published });
  }

  get #limit(): number {
    return this.#options.maxConnections ?? MAX_HOST_CONNECTIONS;
  }

  #take(socket: HostSocket, peer: Socket): void {
    // Whoever serves it listens too; every error of a socket is followed by its close.
    peer.on("error", () => {});
    const open = this.#connections.get(socket);
    if (open === undefined || open.size >= this.#limit) {
      this.#refuse(socket, peer);
      return;
    }
    open.add(peer);
    peer.once("close", () => {
      open.delete(peer);
      this.#options.changed();
    });
    this.#options.changed();
    try {
      socket.accept(peer);
    } catch (error) {
      peer.destroy();
      this.#options.failed(error);
    }
  }

  #refuse(socket: HostSocket, peer: Socket): void {
    const cancel = this.#options.clock.schedule(REFUSAL_MS, () => peer.destroy());
    peer.once("close", cancel);
    peer.resume();
    peer.end(socket.refusal(TOO_MANY));
  }
}
