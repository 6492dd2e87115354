import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { BenchPublisher } from "../../lib/publisher.ts";

/** `termtopic serve --nats` as people run it, on a host without terminals of its own. */
export class Gateway {
  readonly publisher: BenchPublisher;
  readonly #folder: string;

  private constructor(publisher: BenchPublisher, folder: string) {
    this.publisher = publisher;
    this.#folder = folder;
  }

  static async start(url: string): Promise<Gateway> {
    const folder = mkdtempSync(join(tmpdir(), "termtopic-bench-"));
    const none = join(folder, "no-tmux");
    const nats = ["--nats", url, "--source", "tmux"];
    return new Gateway(await BenchPublisher.start(folder, none, nats), folder);
  }

  get pid(): number {
    return this.publisher.pid;
  }

  /** Subscribes to terminals; each line goes to `take` as it comes. */
  async subscribe(take: (line: Buffer) => void): Promise<WebSocket> {
    const { endpoint, token } = this.publisher;
    const socket = new WebSocket(
      `${endpoint.replace("http", "ws")}ws`,
      ["ccmsg.v1", `ccmsg.token.${token}`],
      { perMessageDeflate: false, skipUTF8Validation: true },
    );
    await once(socket, "open");
    socket.send('{"op":"hello.user","request_id":"1","protocol_version":4}\n');
    await once(socket, "message");
    socket.on("message", (data: Buffer) => take(data));
    socket.send('{"op":"topic.subscribe","request_id":"2","topic":"terminals"}\n');
    return socket;
  }

  async end(): Promise<void> {
    await this.publisher.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
