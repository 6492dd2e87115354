import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { encodeFrame } from "../../../src/host/channel/frames.ts";
import type { Look } from "./looks.ts";
import { memoryOf } from "./memory.ts";
import { PROMPT_PROGRAM, promptOf } from "./prompts.ts";
import { after } from "./rounds.ts";
import type { OurSystem } from "./systems.ts";
import type { Watcher } from "./watcher.ts";

/** So many at once, as what one costs is less than what the host's memory goes up and down by itself. */
const COUNT = 16;
const ROUNDS = 2;
const FLOOD_MS = 700;
const SETTLING_MS = 500;

/** What a viewer costs the host that has stopped reading, in KiB of memory, once a flood has passed. */
export async function stoppedViewerCost(ours: OurSystem, watcher: Watcher): Promise<number> {
  const look = await ours.open(PROMPT_PROGRAM);
  await watcher.look(look);
  await after(SETTLING_MS);
  let prompts = 0;
  const afterFlood = async () => {
    await watcher.type("\r");
    await after(FLOOD_MS);
    prompts += 1;
    await watcher.type("\x03", promptOf(prompts));
    await after(SETTLING_MS);
    return memoryOf(ours.host.pid);
  };
  await afterFlood();
  let sum = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await afterFlood();
    const sockets = await Promise.all(Array.from({ length: COUNT }, () => stoppedViewer(look)));
    sum += (await afterFlood()) - before;
    for (const socket of sockets) socket.destroy();
  }
  await watcher.leave();
  return (sum / ROUNDS / COUNT) * 1_024;
}

/** One that attaches and reads no more. */
async function stoppedViewer({
  path,
  terminalId,
}: Extract<Look, { kind: "host" }>): Promise<Socket> {
  const socket = connect(path);
  await once(socket, "data");
  socket.pause();
  socket.write(encodeFrame({ type: "attach", terminalId }));
  return socket;
}
