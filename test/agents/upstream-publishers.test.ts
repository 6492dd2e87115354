import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { UpstreamSource } from "../../src/agents/upstream.ts";
import { nodeWebSocketTransport, unixSocketTransport } from "../../src/client/node.ts";
import type { Transport } from "../../src/client/transport.ts";
import type { AgentInfo } from "../../src/contract/agents.ts";
import { systemClock } from "../../src/time/clock.ts";
import { ElementFeed } from "../../src/topics/elements.ts";
import { Topics } from "../../src/topics/hub.ts";
import { HERE } from "../client/support/frames.ts";
import { PlainPublisher } from "../client/support/plain-publisher.ts";
import { until } from "../inventory/unit/support.ts";
import { run } from "../processes/support.ts";
import { INSTANCE, startServer, TOKEN, temporaryFolder } from "../server/support.ts";
import { agentsFrame, OURSELVES } from "./upstream/rows.ts";
import { onThisHost, ticking } from "./watched.ts";

const subscribedTo = (transport: Transport, instance = OURSELVES) =>
  onThisHost((host) => new UpstreamSource({ ...host, transport, name: "there", instance }));

/** A row about a process that has just been started, as a harness would tell of itself. */
function rowAbout(pid: number, instance: string, more: Partial<AgentInfo> = {}): AgentInfo {
  const fields = { cwd: "/src", kind: "interactive", config_dir: "/home/ann/.claude" };
  return { instance, pid, started_at: Date.now(), ...fields, ...more };
}

const idle = () => run("sleep", ["600"]);

describe.each(["websocket", "unix"] as const)("a plain publisher over a %s", (carrier) => {
  async function publishing() {
    const publisher = new PlainPublisher();
    await publisher.listen();
    let isOpen = true;
    const close = async () => {
      if (isOpen) await publisher.close();
      isOpen = false;
    };
    onTestFinished(close);
    const transport =
      carrier === "unix"
        ? unixSocketTransport(publisher.socketPath)
        : nodeWebSocketTransport(publisher.endpoint, { token: publisher.token });
    return { publisher, transport, close };
  }

  test("has the runs stated that live, and those alone, through all its changes", async () => {
    const { publisher, transport } = await publishing();
    const [one, two] = [await idle(), await idle()];
    const ended = await idle();
    await ended.end();
    publisher.agents = [one, ended].map(({ pid }) => rowAbout(pid, HERE));
    const { watched, source, table } = subscribedTo(transport);
    await source.read();
    expect(watched.pids).toEqual([one.pid]);
    expect(watched.run(one.pid)?.startTick).toBe(table.read(one.pid)?.startTick);
    publisher.say(agentsFrame([rowAbout(two.pid, HERE, { status: "waiting" })]));
    await watched.until(() => watched.run(two.pid)?.status === "waiting");
    publisher.say(agentsFrame([{ instance: HERE, pid: one.pid, removed: true }]));
    await watched.until(() => watched.run(one.pid) === undefined);
    await two.end();
    await ticking(source, () => watched.runs.length === 0);
    expect(watched.finding?.kind).toBe("rows");
  });

  test("that hangs up is failing, and its runs stand until it is back with others", async () => {
    const { publisher, transport } = await publishing();
    const [one, two] = [await idle(), await idle()];
    publisher.agents = [rowAbout(one.pid, HERE)];
    const { watched, source } = subscribedTo(transport);
    await source.read();
    publisher.agents = [rowAbout(two.pid, HERE)];
    publisher.hangUp();
    await watched.until(() => watched.fault?.code === "lost");
    expect(watched.pids).toEqual([one.pid]);
    await watched.until(() => watched.finding?.kind === "rows");
    expect(watched.pids).toEqual([two.pid]);
  });

  test("that is gone is failing, at once for whoever asks, and its runs go as they end", async () => {
    const { publisher, transport, close } = await publishing();
    const one = await idle();
    publisher.agents = [rowAbout(one.pid, HERE)];
    const { watched, source } = subscribedTo(transport);
    await source.read();
    await close();
    await watched.until(() => watched.finding?.kind === "failing");
    await source.read();
    expect(watched.pids).toEqual([one.pid]);
    await one.end();
    await ticking(source, () => watched.runs.length === 0);
    expect(watched.finding?.kind).toBe("failing");
  });

  test("hears nothing of us any more when the source is stopped", async () => {
    const { publisher, transport } = await publishing();
    const { source } = subscribedTo(transport);
    await source.read();
    expect(publisher.conversations.size).toBe(1);
    source.stop();
    await until(() => publisher.conversations.size === 0);
  });
});

describe("a publisher of our own kind", () => {
  /** It publishes what it is told to, and knows how many want it. */
  async function publishing() {
    const topics = new Topics({ clock: systemClock });
    const feed = new ElementFeed("agents", INSTANCE, "00000000000000aa");
    let wants = 0;
    topics.offer("agents", [feed], {
      acquire: () => {
        wants += 1;
      },
      release: () => {
        wants -= 1;
      },
      fresh: async () => {},
    });
    const publish = (...rows: AgentInfo[]) => {
      feed.publish({ rows, removedAt: Date.now(), reasonOf: () => "closed" });
      topics.changed();
    };
    /** Says that the publisher stops. */
    const part = () => {
      feed.publish({ rows: [], removedAt: Date.now(), reasonOf: () => "instance_stopped" });
      topics.changed();
    };
    const socketPath = join(await temporaryFolder(), "s");
    const start = () => startServer({ hub: topics, clock: systemClock, socketPath });
    const { stop, endpoint } = await start();
    return { publish, part, start, stop, endpoint, socketPath, wants: () => wants };
  }

  test("has its runs stated by their start, as they change", async () => {
    const { publish, endpoint } = await publishing();
    const { watched, source, table } = subscribedTo(
      nodeWebSocketTransport(endpoint, { token: TOKEN }),
    );
    const { pid } = await idle();
    const start_tick = table.read(pid)?.startTick ?? "";
    await source.read();
    expect(watched.finding).toEqual({ kind: "rows", items: [] });
    publish(rowAbout(pid, INSTANCE, { start_tick, started_at: 0 }));
    await watched.until(() => watched.run(pid)?.startTick === start_tick);
    publish(rowAbout(pid, INSTANCE, { start_tick: "1" }));
    await watched.until(() => watched.run(pid) === undefined);
  });

  test("does not let everybody in, which is said in words", async () => {
    const { endpoint } = await publishing();
    const { watched, source } = subscribedTo(nodeWebSocketTransport(endpoint, { token: "wrong" }));
    await source.read();
    expect(watched.fault?.code).toBe("unauthorized");
    expect(watched.fault?.msg).toContain("the token is wrong or missing");
  });

  test("that restarts has its runs stated all along", async () => {
    const { publish, start, stop, socketPath } = await publishing();
    const { pid } = await idle();
    publish(rowAbout(pid, INSTANCE));
    const { watched, source } = subscribedTo(unixSocketTransport(socketPath));
    await source.read();
    const before = watched.readings.length;
    await stop("restart");
    await watched.until(() => watched.finding?.kind === "failing");
    await start();
    await watched.until(() => watched.finding?.kind === "rows");
    const stated = watched.readings
      .slice(before)
      .map(({ finding }) =>
        finding.kind === "rows" || finding.kind === "failing" ? finding.items?.length : 0,
      );
    expect(new Set(stated)).toEqual(new Set([1]));
  });

  test("that stops for good takes its rows away, and has its runs stated as long as they live", async () => {
    const { publish, part, start, stop, socketPath } = await publishing();
    const [one, two] = [await idle(), await idle()];
    publish(rowAbout(one.pid, INSTANCE), rowAbout(two.pid, INSTANCE));
    const { watched, source } = subscribedTo(unixSocketTransport(socketPath));
    await source.read();
    const pids = [one.pid, two.pid].toSorted((a, b) => a - b);
    const stated = () => watched.pids.toSorted((a, b) => a - b);
    expect(stated()).toEqual(pids);
    part();
    await watched.until(() => watched.finding?.kind !== "rows");
    expect(watched.fault?.code).toBe("stopped");
    expect(stated()).toEqual(pids);
    await stop("stop");
    await watched.until(() => watched.fault?.code === "lost");
    expect(stated()).toEqual(pids);
    await one.end();
    await ticking(source, () => watched.runs.length === 1);
    expect(watched.pids).toEqual([two.pid]);
    publish(rowAbout(two.pid, INSTANCE));
    await start();
    await watched.until(() => watched.finding?.kind === "rows");
    expect(watched.pids).toEqual([two.pid]);
  });

  test("that is we ourselves is left, so that we do not go on for our own sake", async () => {
    const { socketPath, wants } = await publishing();
    const { watched } = subscribedTo(unixSocketTransport(socketPath), INSTANCE);
    await watched.until(() => watched.fault?.code === "own_instance");
    await until(() => wants() === 0);
  });
});
