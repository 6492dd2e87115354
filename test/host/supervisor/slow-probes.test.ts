import { existsSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PROBE_LIMIT_MS } from "../../../src/host/monitors/limits.ts";
import { type Clock, systemClock } from "../../../src/time/clock.ts";
import { until } from "../process/support.ts";
import { SupervisedSession } from "./supervised-session.ts";

const every = (condition: object) => ({
  condition,
  check_interval_ms: 10,
  notify: { kind: "every_check" },
  lifetime: { kind: "until_session_end" },
});
const once = (condition: object, more: object = { check_interval_ms: 10 }) => ({
  condition,
  ...more,
  notify: { kind: "on_match" },
  lifetime: { kind: "until_session_end" },
});

/** A server that takes connections and answers a letter at a time, without an end. */
async function slowServer(): Promise<{ port: number; connected: Promise<void> }> {
  const sockets = new Set<Socket>();
  let tell = () => {};
  const connected = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const timer = setInterval(() => socket.write("H"), 100);
    socket.on("close", () => clearInterval(timer));
    tell();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { port: address.port, connected };
}

/** On it a probe that has begun may go on for ever. */
const endlessClock: Clock = {
  ...systemClock,
  schedule: (ms, task) => (ms === PROBE_LIMIT_MS ? () => {} : systemClock.schedule(ms, task)),
};

interface Event {
  readonly monitor_id: string;
  readonly reason: string;
}

test("a hanging connection, a slow answer and a command that sleeps delay no other monitor, of their session and of others", async () => {
  const { port, connected } = await slowServer();
  const slow = await SupervisedSession.start(
    "read line; echo it was $line; sleep 600",
    {
      initial_monitors: [
        every({ kind: "custom_probe", command: "echo > begun; exec sleep 600", cwd: "." }),
        every({ kind: "http_ready", pattern: `http://127.0.0.1:${port}/` }),
        every({ kind: "tcp_ready", host: "192.0.2.1", port: 9 }),
        once({ kind: "path_exists", path: "wanted" }),
        once({ kind: "output_contains", pattern: "it was" }, {}),
        once({ kind: "screen_matches", pattern: "it was*here" }, {}),
      ],
    },
    { clock: endlessClock },
  );
  const { served, client } = slow;
  const other = served.start("sleep 600", {
    initial_monitors: [once({ kind: "custom_probe", command: "test -e wanted", cwd: "." })],
  });
  const { session_id } = (await client.operate(other)).success.start.session;
  await connected;
  await until(() => (existsSync(join(served.workspace, "begun")) ? true : undefined));

  writeFileSync(join(served.workspace, "wanted"), "");
  await slow.do("write", { write: { kind: "text", text: "here\r" } });
  const events = async (id: string): Promise<Event[]> => {
    const inspect = { action: "inspect", session_id: id, max_events: 256 };
    return (await client.operate(inspect)).success.inspect.events;
  };
  const found = await until(async () => {
    const all = [...(await events(slow.id)), ...(await events(session_id))];
    return all.filter(({ reason }) => reason === "matched").length === 4 ? all : undefined;
  });
  const told = found.map(({ monitor_id, reason }) => `${monitor_id} ${reason}`);
  expect(told).toEqual(
    expect.arrayContaining([
      "monitor-4 matched",
      "monitor-5 matched",
      "monitor-6 matched",
      "monitor-1 matched",
    ]),
  );
  expect(told).not.toContain("monitor-2 check");
});
