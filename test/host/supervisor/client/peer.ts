import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { encodeFrame, FrameReader } from "../../../../src/host/supervisor/frames.ts";
import { LOCAL_HELLO } from "../../../../src/host/supervisor/negotiate.ts";

/** What a host answers to a hello. */
export const GREETING = {
  kind: "hello",
  hello: LOCAL_HELLO,
  negotiated: 6,
  instance_id: "0123456789abcdef0123456789abcdef",
} as const;

/** The facts of a session that runs. */
export const FACTS = {
  session_id: `terminal-n-${"1".repeat(32)}`,
  lifecycle: "running",
  attention: { attention: "background", write_lease: "none" },
  backend: "native",
  persistence: "process",
  output_cursor: { segment: 1, offset: 0 },
  unread_range: null,
  raw_gap: null,
  screen_recovery: { unavailable: "missing" },
  active_monitor_count: 0,
  next_actions: {
    read: true,
    screen: true,
    write: true,
    wait: true,
    monitor: true,
    inspect: true,
    list: true,
    resize: true,
    signal: true,
    close: true,
  },
} as const;

/** An answer to an operation with that result. */
export const answerOf = (structured: object, isError = false) => ({
  kind: "terminal",
  output: {
    content: "{}",
    is_error: isError,
    structured,
    original_bytes: 2,
    truncated: false,
  },
});

export interface Request {
  readonly kind: string;
  readonly request_id?: string;
  readonly operation?: { readonly action: string };
}

/** One connection as the host sees it. */
export class Peer {
  readonly socket: Socket;
  readonly ended: Promise<unknown>;
  readonly #received: Request[] = [];
  #wake = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    this.ended = new Promise((resolve) => socket.once("close", resolve));
    const reader = new FrameReader();
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) this.#received.push(frame as Request);
      this.#wake();
    });
  }

  say(...answers: readonly object[]): void {
    for (const answer of answers) this.socket.write(encodeFrame(answer));
  }

  /** The next request. */
  async next(): Promise<Request> {
    for (;;) {
      const request = this.#received.shift();
      if (request !== undefined) return request;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** How many requests have come that nobody has taken. */
  get waiting(): number {
    return this.#received.length;
  }

  async greet(): Promise<this> {
    await this.next();
    this.say(GREETING);
    return this;
  }
}

/** A host whose part the test plays, on a real socket. */
export class ScriptedHost {
  readonly path: string;
  readonly #peers: Peer[] = [];
  #wake = () => {};

  private constructor(path: string) {
    this.path = path;
  }

  static async listen(): Promise<ScriptedHost> {
    const folder = mkdtempSync(join(tmpdir(), "tt-supervisor-"));
    const host = new ScriptedHost(join(folder, "s.sock"));
    const server = createServer((socket) => {
      host.#peers.push(new Peer(socket));
      host.#wake();
      onTestFinished(() => void socket.destroy());
    });
    onTestFinished(() => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await once(server.listen(host.path), "listening");
    return host;
  }

  /** The next connection that is made, or was. */
  async accept(): Promise<Peer> {
    for (;;) {
      const peer = this.#peers.shift();
      if (peer !== undefined) return peer;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
