import { describe, expect, test } from "vitest";
import { UpstreamSource } from "../../src/agents/upstream.ts";
import { HERE, PUBLISHER, THERE } from "../client/support/frames.ts";
import { ScriptedTransport } from "../client/support/scripted.ts";
import { settled } from "../lib/fake-clock.ts";
import { processInfo } from "../lib/fake-table.ts";
import { agent, agentsFrame, agentsSnapshot, OURSELVES, SID } from "./upstream/rows.ts";
import { onFakeHost } from "./watched.ts";

const NAME = "http://127.0.0.1:7117/";
const EPOCH = "00000000000000aa";

/** A source whose publisher is the test, on a host with the processes 10, 11 and 12. */
function subscribed() {
  const transport = new ScriptedTransport();
  const host = onFakeHost(
    (made) => new UpstreamSource({ ...made, transport, name: NAME, instance: OURSELVES }),
  );
  for (const pid of [10, 11, 12]) host.table.set(processInfo(pid));
  const isRead = async () => {
    let done = false;
    const reading = host.source.read().then(() => {
      done = true;
    });
    await settled();
    return { reading, done: () => done };
  };
  return { ...host, transport, isRead };
}

/** A run of that publisher is gone. */
const removal = (pid: number, reason?: string) => ({
  instance: HERE,
  pid,
  removed: true,
  ...(reason === undefined ? {} : { reason }),
});

/** The same, with these rows given. */
function live(...rows: object[]) {
  const host = subscribed();
  host.transport.peer.welcome();
  host.transport.peer.give("agents", agentsSnapshot(...rows));
  return host;
}

describe("the agents of another publisher", () => {
  test("are stated under its name once it has stated them, as far as they live", () => {
    const { watched, transport } = subscribed();
    expect(watched.readings).toMatchObject([{ name: NAME, finding: { kind: "starting" } }]);
    transport.peer.welcome();
    transport.peer.give("agents", agentsSnapshot(agent(10, { sid: SID }), agent(99)));
    expect(watched.finding).toMatchObject({ kind: "rows", items: [{ pid: 10, sid: SID }] });
    expect(new Set(watched.readings.map(({ name }) => name))).toEqual(new Set([NAME]));
  });

  test("follow its changes and removals", () => {
    const { watched, transport } = live(agent(10), agent(11));
    const change = [agent(10, { status: "waiting" }), removal(11, "closed"), agent(12)];
    transport.peer.say(agentsFrame(change));
    expect(watched.pids).toEqual([10, 12]);
    expect(watched.run(10)?.status).toBe("waiting");
  });

  test("are none of the instances that it relays, whose processes are on other hosts", () => {
    const { watched, transport } = live(agent(10));
    const relayed = { ...agent(11), instance: THERE };
    transport.peer.say(agentsFrame([relayed], { instance: THERE, snapshot: true }));
    transport.peer.say(agentsFrame([relayed]));
    expect(watched.pids).toEqual([10]);
  });

  test("are gone with their processes, whatever it goes on to say", async () => {
    const { watched, table, source } = live(agent(10), agent(11));
    table.end(10);
    source.tick();
    expect(watched.pids).toEqual([11]);
    table.end(11);
    await watched.see();
    expect(watched.finding).toEqual({ kind: "rows", items: [] });
  });

  test("are not taken for what was started with their number", async () => {
    const { watched, table } = live(agent(10));
    table.set(processInfo(10, { startTick: "1020" }));
    await watched.see();
    expect(watched.runs).toEqual([]);
  });
});

describe("a removal without a reason", () => {
  test("is followed at once where the process has ended", () => {
    const { watched, transport, table } = live(agent(10), agent(11));
    table.end(11);
    transport.peer.say(agentsFrame([removal(11)]));
    expect(watched.pids).toEqual([10]);
    expect(watched.finding?.kind).toBe("rows");
  });

  test("is followed half a second later where it lives, for the publisher may be stopping", async () => {
    const { watched, transport, clock } = live(agent(10), agent(11));
    transport.peer.say(agentsFrame([removal(11)]));
    await clock.advance(499);
    expect(watched.pids).toEqual([10, 11]);
    await clock.advance(1);
    expect(watched.finding).toMatchObject({ kind: "rows", items: [{ pid: 10 }] });
  });

  test("is not followed where the connection ends with it", async () => {
    const { watched, transport, clock, source } = live(agent(10), agent(11));
    transport.peer.say(agentsFrame([removal(10), removal(11)]));
    transport.peer.end({ code: 1001 });
    await clock.advance(5_000);
    source.tick();
    expect(watched.finding).toMatchObject({ kind: "failing", fault: { code: "lost" } });
    expect(watched.pids).toEqual([10, 11]);
  });

  test("is taken back where the run is stated again", async () => {
    const { watched, transport, clock } = live(agent(10));
    transport.peer.say(agentsFrame([removal(10)]));
    transport.peer.say(agentsFrame([agent(10, { status: "busy" })]));
    await clock.advance(1_000);
    expect(watched.run(10)?.status).toBe("busy");
  });
});

describe("a publisher that stops", () => {
  /** It has stopped in the orderly way, and is dialed again. */
  async function stopped(reason = "instance_stopped") {
    const host = live(agent(10), agent(11));
    host.transport.peer.say(agentsFrame([removal(10, reason), removal(11, reason)]));
    const saidBefore = host.watched.fault?.code;
    host.transport.peer.end({ code: 1001 });
    return { ...host, saidBefore };
  }

  const sources = (status: string, more = {}) => ({
    sources: [{ scheme: "claude", status, since_at: 1, ...more }],
  });

  test.each(["instance_stopped", "instance_lost"])(
    "is failing (%s), and its runs stand as long as they live",
    async (reason) => {
      const { watched, table, source, saidBefore } = await stopped(reason);
      expect(saidBefore).toBe("stopped");
      expect(watched.fault?.code).toBe("lost");
      expect(watched.pids).toEqual([10, 11]);
      table.end(10);
      source.tick();
      expect(watched.pids).toEqual([11]);
      expect(watched.finding?.kind).toBe("failing");
    },
  );

  test("takes along only what it does not say has ended by itself", () => {
    const { watched, transport } = live(agent(10), agent(11), agent(12));
    const change = [removal(10, "closed"), removal(11, "source_gone")];
    transport.peer.say(agentsFrame([...change, removal(12, "instance_stopped")]));
    expect(watched.pids).toEqual([12]);
  });

  test("and is back has stated what there is, be it nothing", async () => {
    const { watched, transport, clock } = await stopped();
    await clock.advance(10_000);
    transport.peer.welcome();
    expect(watched.pids).toEqual([10, 11]);
    transport.peer.give("agents", agentsSnapshot(agent(11)));
    expect(watched.finding).toMatchObject({ kind: "rows", items: [{ pid: 11 }] });
  });

  test("and is back says nothing of what it has not read yet", async () => {
    const { watched, transport, clock } = await stopped();
    await clock.advance(10_000);
    transport.peer.welcome();
    const snapshot = agentsSnapshot(agent(11));
    const unread = { ...snapshot, data: { ...snapshot.data, ...sources("starting") } };
    transport.peer.give("agents", unread);
    expect(watched.fault?.code).toBe("unread");
    expect(watched.pids.toSorted()).toEqual([10, 11]);
    const say = (data: object) => {
      const frame = agentsFrame([]);
      transport.peer.say({ ...frame, data: { ...frame.data, ...data } });
    };
    say(sources("failing"));
    expect(watched.pids.toSorted()).toEqual([10, 11]);
    say(sources("ok", { polled_at: 2 }));
    expect(watched.finding).toMatchObject({ kind: "rows", items: [{ pid: 11 }] });
  });

  test("and goes on after all is well again as soon as it states something", () => {
    const { watched, transport } = live(agent(10));
    transport.peer.say(agentsFrame([removal(10, "instance_stopped")]));
    expect(watched.fault?.code).toBe("stopped");
    transport.peer.say(agentsFrame([agent(11)]));
    expect(watched.finding).toMatchObject({ kind: "rows", items: [{ pid: 11 }] });
  });
});

describe("a publisher that is away", () => {
  test("is failing, and leaves its runs as long as they live", async () => {
    const { watched, transport, table, source } = live(agent(10), agent(11));
    transport.peer.end({ code: 1006 });
    expect(watched.finding).toMatchObject({ kind: "failing", fault: { code: "lost" } });
    expect(watched.pids).toEqual([10, 11]);
    table.end(10);
    source.tick();
    expect(watched.finding?.kind).toBe("failing");
    expect(watched.pids).toEqual([11]);
  });

  test("stays failing while it is dialed again, until its agents are there", async () => {
    const { watched, transport, clock } = live(agent(10));
    transport.peer.end();
    await clock.advance(10_000);
    expect(transport.peers.length).toBe(2);
    transport.peer.welcome();
    expect(watched.finding).toMatchObject({ kind: "failing", fault: { code: "lost" } });
    transport.peer.give("agents", agentsSnapshot(agent(11)));
    expect(watched.finding).toMatchObject({ kind: "rows", items: [{ pid: 11 }] });
  });

  test("from the beginning is failing without rows", () => {
    const { watched, transport } = subscribed();
    transport.peer.end({ error: new Error("connect ECONNREFUSED") });
    expect(watched.finding).toEqual({
      kind: "failing",
      fault: { code: "unreachable", msg: "no connection could be made: connect ECONNREFUSED" },
      items: [],
    });
  });

  test("is failing too where it is connected and silent", async () => {
    const { watched, transport, clock } = subscribed();
    transport.peer.welcome();
    const chained = { ...agentsSnapshot(agent(10)), epoch: EPOCH, seq: 1 };
    transport.peer.give("agents", chained);
    expect(watched.finding?.kind).toBe("rows");
    await clock.advance(26_000);
    expect(watched.finding).toMatchObject({ kind: "failing", fault: { code: "stale" } });
    expect(watched.pids).toEqual([10]);
    transport.peer.say({ ...agentsFrame([]), epoch: EPOCH, seq: 1, prev_seq: 1 });
    expect(watched.finding).toMatchObject({ kind: "rows", items: [{ pid: 10 }] });
  });

  test("that does not answer within the time of a connection says so", async () => {
    const { watched, clock } = subscribed();
    await clock.advance(10_000);
    expect(watched.fault).toMatchObject({ code: "silent" });
  });
});

describe("a publisher that refuses", () => {
  test.each([
    ["unauthorized", "the token is wrong or missing"],
    ["refused", "nobody publishes there"],
  ] as const)(
    "the connection (%s) is failing in words, and asked again after a minute",
    async (permanent, words) => {
      const { watched, transport, clock, source } = subscribed();
      transport.peer.end({ permanent, error: new Error("HTTP 4xx") });
      expect(watched.fault).toMatchObject({ code: permanent });
      expect(watched.fault?.msg).toContain(words);
      expect(watched.fault?.msg).toContain("HTTP 4xx");
      await clock.advance(59_999);
      source.tick();
      expect(transport.peers.length).toBe(1);
      await clock.advance(1);
      source.tick();
      source.tick();
      expect(transport.peers.length).toBe(2);
      transport.peer.welcome();
      transport.peer.give("agents", agentsSnapshot(agent(10)));
      expect(watched.finding?.kind).toBe("rows");
    },
  );

  test("another generation is failing", () => {
    const { watched, transport } = subscribed();
    transport.peer.events.open();
    transport.peer.answer("hello.user", { ...PUBLISHER, protocol_version: 3 });
    expect(watched.fault?.code).toBe("generation");
    expect(watched.fault?.msg).toContain("it speaks another generation of the contract");
  });

  test.each([
    ["forbidden", "it does not show its agents to us"],
    ["topic_unknown", "it publishes no agents"],
    ["invalid_args", "it publishes no agents"],
    ["capability_unavailable", "it cannot tell of agents"],
    ["internal_error", "internal_error: not today"],
  ])("its agents (%s) is failing in words", (code, words) => {
    const { watched, transport } = subscribed();
    transport.peer.welcome();
    transport.peer.refuse("topic.subscribe", code);
    expect(watched.fault?.code).toBe(code);
    expect(watched.fault?.msg).toContain(words);
  });

  test("its agents for now is asked again by itself", async () => {
    const { watched, transport, clock } = subscribed();
    transport.peer.welcome();
    transport.peer.refuse("topic.subscribe", "internal_error");
    await clock.advance(10_000);
    transport.peer.give("agents", agentsSnapshot(agent(10)));
    expect(watched.pids).toEqual([10]);
    expect(watched.fault).toBeUndefined();
  });

  test("nothing, but sends what does not fit the contract, is failing", async () => {
    const { watched, transport } = subscribed();
    transport.peer.welcome();
    transport.peer.give("agents", agentsSnapshot({ pid: "ten" }));
    expect(watched.fault?.code).toBe("invalid_frame");
  });
});

describe("a publisher that is ourselves", () => {
  test("is failing, and left at once, for it would count as its own subscriber", async () => {
    const { watched, transport, clock, source } = subscribed();
    transport.peer.events.open();
    transport.peer.answer("hello.user", { ...PUBLISHER, instance: OURSELVES });
    expect(watched.finding).toMatchObject({ fault: { code: "own_instance" }, items: [] });
    expect(transport.peer.isClosed).toBe(true);
    await clock.advance(120_000);
    source.tick();
    await source.read();
    expect(transport.peers.length).toBe(1);
    expect(watched.fault?.code).toBe("own_instance");
    expect(clock.pending).toBe(0);
  });
});

describe("a reading", () => {
  test("is at once what is known where the publisher is heard", async () => {
    const { isRead, watched, table } = live(agent(10), agent(11));
    table.end(10);
    const { done } = await isRead();
    expect(done()).toBe(true);
    expect(watched.pids).toEqual([11]);
  });

  test("waits for the first answer", async () => {
    const { isRead, transport } = subscribed();
    const { done, reading } = await isRead();
    expect(done()).toBe(false);
    transport.peer.welcome();
    transport.peer.give("agents", agentsSnapshot(agent(10)));
    await reading;
    expect(done()).toBe(true);
  });

  test("waits for no longer than it may take", async () => {
    const { isRead, clock } = subscribed();
    const { done } = await isRead();
    await clock.advance(1_499);
    expect(done()).toBe(false);
    await clock.advance(1);
    expect(done()).toBe(true);
  });

  test("does not wait for a publisher that is away", async () => {
    const { isRead, transport, clock } = subscribed();
    transport.peer.end();
    expect((await isRead()).done()).toBe(true);
    await clock.advance(10_000);
    expect((await isRead()).done()).toBe(true);
  });

  test("ends when the source is stopped", async () => {
    const { isRead, source } = subscribed();
    const { reading } = await isRead();
    source.stop();
    await reading;
  });
});

describe("a source that is stopped", () => {
  test("closes its connection, leaves no timer and says nothing any more", async () => {
    const { source, transport, clock, watched, table } = live(agent(10), agent(11));
    transport.peer.say(agentsFrame([removal(11)]));
    source.stop();
    const said = watched.readings.length;
    expect(transport.peer.isClosed).toBe(true);
    table.end(10);
    source.tick();
    await watched.see();
    await source.read();
    await clock.advance(120_000);
    expect([watched.readings.length, clock.pending]).toEqual([said, 0]);
  });

  test("dials anew when it is started again, and knows nothing of before", () => {
    const { source, transport, watched } = live(agent(10));
    source.stop();
    watched.start();
    expect(watched.finding).toEqual({ kind: "starting" });
    expect(transport.peers.length).toBe(2);
    transport.peer.welcome();
    transport.peer.give("agents", agentsSnapshot(agent(11)));
    expect(watched.pids).toEqual([11]);
  });
});

test("what cannot be read for want of descriptors keeps what was stated", () => {
  const { source, watched, table } = live(agent(10));
  table.read = () => {
    throw new Error("EMFILE");
  };
  source.tick();
  expect(watched.readings.at(-1)).toMatchObject({
    name: NAME,
    finding: { kind: "failing", fault: { code: "processes_unreadable" } },
  });
});
