import { expect, test } from "vitest";
import type { ChannelClient } from "./channel-client.ts";
import { serveHost } from "./served-host.ts";

/** Opens a terminal that is there for those who look at it alone. */
async function open(client: ChannelClient) {
  client.send({
    type: "open",
    ...{ sessionId: "views", cwd: "/", env: null, cols: 80, rows: 24 },
    ...{ exec: ["sh", "-c", "trap '' HUP; echo up; sleep 1000; echo on"], whileViewed: true },
  });
  const { terminal } = await client.next("attached");
  await client.shows("up");
  return terminal.id;
}

test("a terminal that is there while it is viewed goes with the last who looks", async () => {
  const host = await serveHost();
  const [opener, other] = [await host.connect(), await host.connect()];
  const id = await open(opener);
  const terminal = host.host.terminals.get(id);
  await other.attach(id);
  opener.socket.destroy();
  await host.hasLeft(1);
  expect(host.host.terminals.get(id)).toBe(terminal);
  other.socket.destroy();
  await new Promise<void>((resolve) => {
    terminal?.changed.on(() => {
      if (terminal.state === "closed") resolve();
    });
  });
  expect(host.host.terminals.all).toEqual([]);
});

test("a terminal that is there while it is viewed goes also with one whose connection ends while it is opened", async () => {
  const host = await serveHost();
  const client = await host.connect();
  const { terminals } = host.host;
  const gone = new Promise<void>((resolve) => {
    terminals.changed.on(({ state }) => {
      if (state === "closed") resolve();
    });
  });
  client.send({
    type: "open",
    ...{ sessionId: "views", cwd: "/", env: null, cols: 80, rows: 24 },
    ...{ exec: ["sleep", "1000"], whileViewed: true },
  });
  client.socket.end();
  await gone;
  expect(terminals.all).toEqual([]);
});
