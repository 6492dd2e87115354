import { closeSync, openSync, readSync } from "node:fs";

/** What proc(5) says of a process's reading and writing is about 100 bytes. */
const IO_BYTES = 512;

/** How often a tmux server has read from a terminal: what its panes print, and what is typed at its clients, but no commands,
 * which come by recvmsg(2). Where that has not changed no pane has printed anything. Costs some microseconds, where a look
 * costs a process. */
export class ServerReads {
  readonly #descriptor: number;
  readonly #buffer = Buffer.alloc(IO_BYTES);

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** `undefined` where it cannot be known: without procfs, and where the server's process cannot be seen. */
  static of(serverPid: number): ServerReads | undefined {
    let reads: ServerReads;
    try {
      reads = new ServerReads(openSync(`/proc/${serverPid}/io`, "r"));
    } catch {
      return undefined;
    }
    if (reads.count !== "") return reads;
    reads.close();
    return undefined;
  }

  /** Another text for another count. Empty where the process has ended. */
  get count(): string {
    try {
      const length = readSync(this.#descriptor, this.#buffer, 0, IO_BYTES, 0);
      return /^syscr: (\d+)/m.exec(this.#buffer.toString("latin1", 0, length))?.[1] ?? "";
    } catch {
      return "";
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
