import type { Socket } from "node:net";
import type { Clock } from "../time/clock.ts";

/** How often it is looked whether the peer is still there, in milliseconds: for so long a wait goes on that nobody waits
 * for any more. */
const LOOK_MS = 1_000;

/** Space before a line, which is no part of its JSON. */
const NOTHING = " ";

/** Ends a socket whose peer has gone, once that has ended its writing side. Whether it has gone or only said all it had to
 * say looks the same until something is written to it (unix(7), EPIPE). */
export function watchHalfClosed(clock: Clock, socket: Socket): void {
  let stop = () => {};
  const look = () => {
    if (!socket.writable) return;
    // What waits for the peer does as well.
    if (socket.writableLength === 0) socket.write(NOTHING);
    stop = clock.schedule(LOOK_MS, look);
  };
  socket.once("close", () => stop());
  look();
}
