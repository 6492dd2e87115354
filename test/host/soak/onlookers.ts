import { once } from "node:events";
import { connect } from "node:net";
import type { Scene } from "./happenings.ts";
import { Peer } from "./peer.ts";

const MANNERS = ["fast", "fast", "slow", "stopped", "mute", "deaf", "typing", "opening"] as const;

/** Somebody who looks at some terminal until `over`, in a manner of their own: one reads and acknowledges at once, one
 * late, one reads nothing at all, one acknowledges nothing, one says all and only listens. */
export async function look(scene: Scene, over: Promise<unknown>): Promise<void> {
  const { random, path, slots, folder } = scene;
  const manner = random.one(MANNERS);
  const { sessionId, id } = random.one(slots);
  const peer = await Peer.connect(path);
  const size = { cols: random.between(2, 200), rows: random.between(1, 60) };
  if (manner === "opening") {
    peer.send({ type: "open", sessionId: "looked-at", cwd: folder, env: null, ...size });
  } else if (id !== undefined) {
    peer.send({ type: "attach", terminalId: id, ...(random.oneIn(4) ? { readOnly: true } : {}) });
  }
  if (random.oneIn(2)) peer.send({ type: "resize", ...size });
  if (random.oneIn(3)) peer.send({ type: "list", sessionId });
  if (manner === "stopped") peer.socket.pause();
  if (manner === "mute") peer.acknowledge = 0;
  if (manner === "deaf") peer.socket.end();
  let isOver = false;
  const ended = over.then(() => {
    isOver = true;
  });
  if (manner === "slow") void readLate(peer, () => isOver);
  if (manner === "typing") peer.send(Buffer.from("ls\r\x03\x1b[A\x1b[?1;2c".repeat(500)));
  await Promise.race([ended, peer.closed]);
  if (manner === "opening") await closed(peer);
  if (random.oneIn(2)) await peer.cut(Buffer.alloc(3_000, "x"), random.below(3_000));
  else await peer.leave();
}

/** Reads a piece, and the next one some turns later. */
async function readLate(peer: Peer, isOver: () => boolean): Promise<void> {
  peer.acknowledge = 8 * 1024;
  while (!isOver() && !peer.socket.destroyed) {
    await once(peer.socket, "data").catch(() => {});
    peer.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 20));
    peer.socket.resume();
  }
}

/** Closes what it has opened, unless the host would not open it. */
async function closed(peer: Peer): Promise<void> {
  const told = new Promise<void>((resolve) => {
    peer.heard = ({ type }) => {
      if (type === "closed" || type === "error") resolve();
    };
  });
  peer.send({ type: "close", force: true });
  await Promise.race([told, peer.closed]);
}

/** Somebody who subscribes to the host's topic until `over`, and reads it or does not. */
export async function follow(scene: Scene, topics: string, over: Promise<unknown>): Promise<void> {
  const socket = connect(topics).on("error", () => {});
  await once(socket, "connect");
  socket.write('{"op":"hello.user","request_id":"1","protocol_version":4}\n');
  socket.write('{"op":"topic.subscribe","request_id":"2","topic":"terminals"}\n');
  if (scene.random.oneIn(3)) socket.pause();
  else socket.resume();
  const closed = once(socket, "close");
  await Promise.race([over, closed]);
  if (scene.random.oneIn(2)) socket.write('{"op":"topic.unsub');
  socket.destroy();
  await closed;
}
