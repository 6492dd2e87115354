import { connect, createServer, type Server, type Socket } from "node:net";

/** How often something is passed on, in milliseconds. */
const TICK_MS = 1;

/** A socket in front of another one. What comes from that is read and passed on as fast as a link of so many bytes a
 * second takes it; what goes there, at once. */
export class SlowLink {
  readonly path: string;
  readonly #server: Server;
  readonly #ends = new Set<() => void>();

  private constructor(path: string, to: string, bytesPerSecond: number) {
    this.path = path;
    this.#server = createServer((near) => this.#join(near, connect(to), bytesPerSecond / 1_000));
  }

  static async open(path: string, to: string, bytesPerSecond: number): Promise<SlowLink> {
    const link = new SlowLink(path, to, bytesPerSecond);
    await new Promise<void>((resolve) => link.#server.listen(path, resolve));
    return link;
  }

  end(): void {
    for (const end of this.#ends) end();
    this.#server.close();
  }

  #join(near: Socket, far: Socket, bytesPerMs: number): void {
    let last = performance.now();
    let due = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      due = Math.min(due + (now - last) * bytesPerMs, Math.max(far.readableLength, bytesPerMs));
      last = now;
      const chunk: Buffer | null = far.read(Math.min(Math.floor(due), far.readableLength) || 1);
      if (chunk === null) return;
      due -= chunk.length;
      near.write(chunk);
    }, TICK_MS);
    const end = () => {
      clearInterval(timer);
      near.destroy();
      far.destroy();
      this.#ends.delete(end);
    };
    this.#ends.add(end);
    near.on("data", (chunk) => far.write(chunk));
    for (const socket of [near, far]) socket.on("close", end).on("error", end);
  }
}
