import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** How long the log may be before it begins anew, in bytes. */
const LOG_BYTES = 256 * 1024;

/** How much of what was written last is told, in bytes. */
const TAIL_BYTES = 2_048;

/** No link is followed. */
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

export interface HostLog {
  readonly fd: number;
  /** The last line that was written since it was opened; empty where none was. */
  tail(): Promise<string>;
  close(): Promise<void>;
}

/** The file in which a host that nobody looks at says why it ended. */
export async function openLog(folder: string): Promise<HostLog> {
  const file = await open(join(folder, "host.log"), FLAGS, 0o600);
  let { size } = await file.stat();
  if (size > LOG_BYTES) {
    await file.truncate(0);
    size = 0;
  }
  return {
    fd: file.fd,
    async tail() {
      const end = (await file.stat()).size;
      const from = Math.max(size, end - TAIL_BYTES);
      const buffer = Buffer.alloc(Math.max(0, end - from));
      await file.read(buffer, 0, buffer.length, from);
      return buffer.toString("utf8").trim().split("\n").at(-1) ?? "";
    },
    close: () => file.close(),
  };
}
