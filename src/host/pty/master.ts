import { Buffer } from "node:buffer";
import type { SocketConstructorOpts, TcpSocketConnectOpts } from "node:net";
import { ReadStream } from "node:tty";
import { readSome, writeSome } from "./descriptor.ts";
import { masterClosed } from "./inheritance.ts";
import { nativePart } from "./native.ts";

/** How much is read of one terminal before others get their turn, in bytes. A key elsewhere waits for two or three such
 * turns; with 64 KiB a flood would be 6 % faster, and an echo beside it take twice as long. */
const SLICE_BYTES = 16 * 1024;

/** Where all of them are read to, one at a time: a flood that were given new memory for each piece would have the collector
 * stop everything for some 5 ms again and again. */
const scratch = Buffer.allocUnsafeSlow(SLICE_BYTES);

/** The kernel gives about 4 KiB of a flood at once. Less is what somebody typed or a program said in passing, and
 * asking for more would only be refused, which costs an exception. */
const FLOOD_BYTES = 2 * 1024;

export interface MasterEvents {
  /** The bytes are valid within the call: copy to keep. The receiver may write into them. */
  data(bytes: Buffer): void;
  /** Nothing can be read any more: the terminal was hung up. */
  hungUp(): void;
}

/** The master's descriptor, which is this object's from now on: nobody else reads, writes or closes it.
 *
 * The stream tells that there is output and gives the first piece; a flood is read on directly. That is a tenth of the
 * events, and a third less time, than to let the stream bring each piece. */
export class Master {
  readonly #descriptor: number;
  readonly #stream: ReadStream;
  readonly #events: MasterEvents;

  constructor(descriptor: number, events: MasterEvents) {
    this.#descriptor = descriptor;
    this.#events = events;
    const options: SocketConstructorOpts & Pick<TcpSocketConnectOpts, "onread"> = {
      onread: { buffer: scratch, callback: (length) => this.#read(length) },
    };
    this.#stream = new ReadStream(descriptor, options);
    // How a hang-up shows is the system's: Linux refuses the reading (EIO), macOS tells of an end.
    this.#stream.on("error", () => {});
    this.#stream.on("end", () => this.#stream.destroy());
    this.#stream.on("close", () => {
      masterClosed(descriptor);
      events.hungUp();
    });
    this.#stream.resume();
  }

  /** False from the moment that the descriptor is closed, a turn or two before that is told: its number may be another
   * file's by then. */
  get isOpen(): boolean {
    return !this.#stream.destroyed;
  }

  /** Writes what the kernel takes at once and answers how much that was. Throws when it takes nothing any more. */
  write(bytes: Uint8Array): number {
    if (!this.isOpen) throw new Error("the terminal was hung up");
    return writeSome(this.#descriptor, bytes);
  }

  resize(cols: number, rows: number): void {
    if (this.isOpen) nativePart().resize(this.#descriptor, cols, rows, 0, 0);
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    if (this.isOpen) this.#stream.resume();
  }

  /** Closes the descriptor within this call. Nothing is told afterwards. */
  close(): void {
    this.#stream.removeAllListeners("close");
    this.#stream.destroy();
    masterClosed(this.#descriptor);
  }

  /** So much has been read into `scratch`. Answers whether more is wanted. */
  #read(first: number): boolean {
    let length = first;
    try {
      while (first >= FLOOD_BYTES && length < scratch.length) {
        const more = readSome(this.#descriptor, scratch.subarray(length));
        if (more === 0) break;
        length += more;
      }
    } catch {
      // The stream meets the same and tells it.
    }
    this.#events.data(scratch.subarray(0, length));
    return true;
  }
}
