import type { Socket } from "node:net";
import type { Cancel, Clock } from "../../time/clock.ts";
import { encodeFrame } from "./frames.ts";

/** How often it is looked whether the peer is still there, in milliseconds: for so long a wait goes on that nobody waits
 * for any more. */
const LOOK_MS = 1_000;

/** Output without any bytes, which says nothing. */
const NOTHING = encodeFrame(new Uint8Array(0));

/** Ends a socket whose peer has gone, once that has ended its writing side. Whether it has gone or only said all it had to
 * say looks the same until something is written to it (unix(7), EPIPE). Answers how to stop. */
export function watchHalfClosed(clock: Clock, socket: Socket): Cancel {
  let due: Cancel | undefined;
  const look = () => {
    if (!socket.writable) return;
    // What waits for the peer does as well.
    if (socket.writableLength === 0) socket.write(NOTHING);
    due = clock.schedule(LOOK_MS, look);
  };
  look();
  const stop = () => due?.();
  socket.once("close", stop);
  return stop;
}
