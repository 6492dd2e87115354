import { writeSync } from "node:fs";
import type { DestinationStream } from "pino";

/** Where the log goes: to stderr, line by line and at once. What cannot be written there, because no space is left, nobody reads
 * or nobody is there, is lost: whoever has terminals or subscribers must not end, wait or grow for it. */
export const logOutput: DestinationStream = {
  write(line) {
    try {
      writeSync(2, line);
    } catch {}
  },
};
