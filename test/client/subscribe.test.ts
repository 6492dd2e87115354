import { describe, expect, it } from "vitest";
import { SubscriptionError, subscribe } from "../../src/client/index.ts";
import { PROTOCOL_VERSION } from "../../src/index.ts";
import {
  bookmark,
  change,
  EMPTY_AGENTS,
  frame,
  gone,
  HERE,
  PUBLISHER,
  snapshot,
  THERE,
  terminal,
} from "./support/frames.ts";
import { ScriptedTransport } from "./support/scripted.ts";
import { Subscriber } from "./support/subscriber.ts";

function subscribed(...frames: object[]): Subscriber {
  const subscriber = new Subscriber();
  subscriber.peer.welcome();
  subscriber.peer.give("terminals", ...frames);
  return subscriber;
}

describe("greeting and subscribing", () => {
  it("greets as a person's client of this generation, and with nothing before it", () => {
    const subscriber = new Subscriber(["terminals"], { clientVersion: "test 1" });
    expect(subscriber.peer.requests).toEqual([]);
    subscriber.peer.events.open();
    expect(subscriber.peer.requests).toEqual([
      {
        op: "hello.user",
        request_id: "1",
        protocol_version: PROTOCOL_VERSION,
        client_version: "test 1",
      },
    ]);
  });

  it("says who answered, without the envelope", () => {
    const subscriber = new Subscriber();
    expect(subscriber.subscription.publisher).toBeUndefined();
    subscriber.peer.welcome();
    expect(subscriber.subscription.publisher).toEqual(PUBLISHER);
    expect(subscriber.states).toEqual(["live"]);
  });

  it("asks for all topics at once, and a slow one holds up no other", () => {
    const subscriber = new Subscriber(["terminals", "agents", "instances"]);
    subscriber.peer.welcome();
    const topics = subscriber.peer.asked("topic.subscribe").map(({ topic }) => topic);
    expect(topics).toEqual(["terminals", "agents", "instances"]);
    subscriber.peer.give("agents", EMPTY_AGENTS);
    expect(subscriber.subscription.view("agents").status).toBe("current");
    expect(subscriber.subscription.view("terminals").status).toBe("waiting");
  });

  it("reports a refused topic and goes on with the others", async () => {
    const subscriber = new Subscriber(["terminals", "agents"]);
    subscriber.peer.welcome();
    const ready = subscriber.subscription.ready("agents");
    subscriber.peer.refuse("topic.subscribe", "capability_unavailable", "agents");
    subscriber.peer.give("terminals", snapshot(1, [terminal(1)]));
    expect(subscriber.subscription.view("agents")).toMatchObject({
      status: "refused",
      refusal: { code: "capability_unavailable" },
    });
    expect(subscriber.problems).toMatchObject([{ kind: "refused", topic: "agents" }]);
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
    await expect(ready).rejects.toMatchObject({ reason: "topic_refused" });
    await expect(subscriber.subscription.ready("agents")).rejects.toThrow(SubscriptionError);
    subscriber.clock.advance(9_999);
    expect(subscriber.peer.asked("topic.subscribe", "agents")).toHaveLength(1);
  });

  for (const code of ["forbidden", "topic_unknown", "invalid_args"]) {
    it(`takes ${code} as the end of a topic on this connection`, () => {
      const subscriber = new Subscriber();
      subscriber.peer.welcome();
      subscriber.peer.refuse("topic.subscribe", code);
      expect(subscriber.subscription.view("terminals").status).toBe("refused");
      expect(subscriber.state).toBe("live");
    });
  }

  it("asks a refused topic anew on the next connection", () => {
    const subscriber = new Subscriber();
    subscriber.peer.welcome();
    subscriber.peer.refuse("topic.subscribe", "topic_unknown");
    subscriber.peer.end();
    subscriber.clock.advance(500);
    subscriber.peer.welcome();
    subscriber.peer.give("terminals", snapshot(1, [terminal(1)]));
    expect(subscriber.subscription.view("terminals").status).toBe("current");
  });

  it("asks again for a topic that could not be read just then", () => {
    const subscriber = new Subscriber();
    subscriber.peer.welcome();
    subscriber.peer.refuse("topic.subscribe", "internal_error");
    expect(subscriber.subscription.view("terminals").status).toBe("waiting");
    subscriber.clock.advance(250);
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(2);
    subscriber.peer.give("terminals", snapshot(1, []));
    expect(subscriber.subscription.view("terminals").status).toBe("current");
  });

  it("asks again when a subscribe request is not answered", () => {
    const subscriber = new Subscriber();
    subscriber.peer.welcome();
    for (let elapsed = 0; elapsed < 30_000; elapsed += 10_000) {
      subscriber.clock.advance(10_000);
      subscriber.peer.answer("instance.ping");
    }
    subscriber.clock.advance(250);
    expect(subscriber.kinds()).toEqual(["unanswered"]);
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(2);
  });

  it("refuses topics without rows, no topics, and a question about another one", () => {
    const transport = new ScriptedTransport();
    expect(() => subscribe({ transport, topics: [] })).toThrow("got none");
    expect(() => subscribe({ transport, topics: ["notify" as "agents"] })).toThrow('got "notify"');
    expect(transport.peers).toEqual([]);
    const { subscription } = new Subscriber(["terminals"]);
    expect(() => subscription.rows("agents")).toThrow('got "agents"');
  });
});

describe("rows", () => {
  it("follow snapshot, changes and removals, and each change says what it did", () => {
    const subscriber = subscribed(snapshot(1, [terminal(1), terminal(2)]));
    subscriber.peer.say(
      change(1, 2, [terminal(2, { state: "dead" }), terminal(3), gone(1), gone(9)]),
    );
    expect(subscriber.ids).toEqual(["tmux:a/2", "tmux:a/3"]);
    expect(subscriber.changes).toEqual([
      { topic: "terminals", instance: HERE, changed: [terminal(1), terminal(2)], removed: [] },
      {
        topic: "terminals",
        instance: HERE,
        changed: [terminal(2, { state: "dead" }), terminal(3)],
        removed: [terminal(1)],
      },
    ]);
  });

  it("of one instance are replaced by its snapshot, and those of another stay", () => {
    const there = { instance: THERE };
    const subscriber = subscribed(
      snapshot(1, [terminal(1)]),
      snapshot(7, [terminal(1, there), terminal(2, there)], there),
    );
    subscriber.peer.say(snapshot(2, [terminal(5)]));
    expect(subscriber.subscription.rows("terminals")).toEqual([
      terminal(5),
      terminal(1, there),
      terminal(2, there),
    ]);
    expect(subscriber.subscription.view("terminals").instances.get(THERE)?.rows.size).toBe(2);
  });

  it("that a snapshot repeats are not told as changed", () => {
    const subscriber = subscribed(snapshot(1, [terminal(1), terminal(2)]));
    subscriber.peer.say(snapshot(1, [terminal(1), terminal(3)]));
    expect(subscriber.changes[1]).toMatchObject({
      changed: [terminal(3)],
      removed: [terminal(2)],
    });
  });

  it("carry how their sources stand and when they were read", () => {
    const sources = [{ scheme: "tmux", status: "ok", since_at: 1 }];
    const subscriber = subscribed(snapshot(1, [], {}, { sources, polled_at: 5 }));
    subscriber.peer.say(bookmark(1));
    const view = subscriber.subscription.view("terminals").instances.get(HERE);
    expect(view).toMatchObject({ sources, polledAt: 1_790_000_000_000, stale: false });
    expect(subscriber.changes[1]).toMatchObject({ changed: [], removed: [] });
  });

  it("of a split snapshot show only when its last part is in", async () => {
    const subscriber = subscribed(snapshot(4, [terminal(1)], { more: true }));
    const ready = subscriber.subscription.ready("terminals");
    expect(subscriber.ids).toEqual([]);
    expect(subscriber.subscription.view("terminals").status).toBe("waiting");
    subscriber.peer.say(change(4, 4, [terminal(2)], { more: true }));
    expect(subscriber.changes).toEqual([]);
    subscriber.peer.say(change(4, 4, [terminal(3)]));
    expect(subscriber.changes).toMatchObject([
      { changed: [terminal(1), terminal(2), terminal(3)], removed: [] },
    ]);
    expect(await ready).toHaveLength(3);
  });

  it("of a split change show only when its last part is in", () => {
    const subscriber = subscribed(snapshot(1, [terminal(1), terminal(2)]));
    subscriber.peer.say(change(1, 1, [gone(1), terminal(3)], { more: true }));
    expect(subscriber.ids).toEqual(["tmux:a/1", "tmux:a/2"]);
    expect(subscriber.subscription.view("terminals").status).toBe("current");
    subscriber.peer.say(change(1, 2, [gone(3), terminal(4)]));
    expect(subscriber.ids).toEqual(["tmux:a/2", "tmux:a/4"]);
    expect(subscriber.changes[1]).toMatchObject({
      changed: [terminal(4)],
      removed: [terminal(1)],
    });
  });

  it("are resolved at once by `ready` when they are current", async () => {
    const subscriber = subscribed(snapshot(1, [terminal(1)]));
    expect(await subscriber.subscription.ready("terminals")).toEqual([terminal(1)]);
  });

  it("of a topic that is always whole are replaced by every frame", () => {
    const subscriber = new Subscriber(["instances"]);
    subscriber.peer.welcome();
    const say = (hosts: string[], head: object) => ({
      ev: "topic",
      topic: "instances",
      instance: HERE,
      ...head,
      data: { instances: hosts.map((host) => ({ host, reachable: true })) },
    });
    subscriber.peer.give("instances", say(["one", "two"], { snapshot: true }));
    subscriber.peer.say(say(["two"], {}));
    const hosts = subscriber.subscription.rows("instances").map(({ host }) => host);
    expect(hosts).toEqual(["two"]);
  });
});

describe("a missed frame", () => {
  it("makes exactly one new subscription, and its snapshot heals the rows", () => {
    const subscriber = subscribed(snapshot(1, [terminal(1)]));
    subscriber.peer.say(change(2, 3, [terminal(3)]));
    subscriber.peer.say(change(3, 4, [terminal(4)]));
    subscriber.peer.say(change(4, 5, [terminal(5)]));
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(2);
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
    expect(subscriber.isStale(HERE)).toBe(true);
    expect(subscriber.subscription.view("terminals").status).toBe("waiting");
    expect(subscriber.kinds()).toEqual(["hole"]);

    subscriber.peer.give("terminals", snapshot(5, [terminal(3), terminal(4), terminal(5)]));
    subscriber.peer.say(change(5, 6, [gone(3)]));
    expect(subscriber.ids).toEqual(["tmux:a/4", "tmux:a/5"]);
    expect(subscriber.isStale(HERE)).toBe(false);
    expect(subscriber.changes[2]).toMatchObject({ removed: [terminal(1)] });
    subscriber.clock.advance(9_000);
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(2);
  });

  it("is noticed by another epoch too", () => {
    const subscriber = subscribed(snapshot(1, [terminal(1)]));
    subscriber.peer.say(change(1, 2, [terminal(2)], { epoch: "00000000000000bb" }));
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(2);
  });

  it("of one instance leaves the others current", () => {
    const there = { instance: THERE };
    const subscriber = subscribed(snapshot(1, [terminal(1)]), snapshot(1, [], there));
    subscriber.peer.say(change(5, 6, [], there));
    subscriber.peer.say(change(1, 2, [terminal(2)]));
    expect(subscriber.ids).toEqual(["tmux:a/1", "tmux:a/2"]);
    expect([subscriber.isStale(HERE), subscriber.isStale(THERE)]).toEqual([false, true]);
    expect(subscriber.subscription.view("terminals").status).toBe("waiting");
  });

  it("keeps `ready` waiting, whichever instance is heard, until it is healed", async () => {
    const there = { instance: THERE };
    const subscriber = subscribed(snapshot(1, [terminal(1)]), snapshot(1, [], there));
    subscriber.peer.say(change(5, 6, [], there));
    const told: string[] = [];
    const ready = subscriber.subscription.ready("terminals");
    const noted = ready.then(() => told.push("ready"));
    subscriber.peer.say(change(1, 2, [terminal(2)]));
    await Promise.resolve();
    await Promise.resolve();
    told.push("healed");
    subscriber.peer.give("terminals", snapshot(6, [terminal(9, there)], there));
    expect(await ready).toEqual([terminal(1), terminal(2), terminal(9, there)]);
    await noted;
    expect(told).toEqual(["healed", "ready"]);
  });

  it("before the first snapshot needs no second request: the answer is still to come", () => {
    const subscriber = new Subscriber();
    subscriber.peer.welcome();
    subscriber.peer.say(change(3, 4, [terminal(1)]));
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(1);
    subscriber.peer.give("terminals", snapshot(4, [terminal(1)]));
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
    expect(subscriber.subscription.view("terminals").status).toBe("current");
  });

  it("after which the topic is refused leaves nothing that is called up to date", () => {
    const there = { instance: THERE };
    const subscriber = subscribed(snapshot(1, [terminal(1)]), snapshot(1, [], there));
    subscriber.peer.say(change(5, 6, [], there));
    subscriber.peer.refuse("topic.subscribe", "forbidden");
    expect([subscriber.isStale(HERE), subscriber.isStale(THERE)]).toEqual([true, true]);
    subscriber.clock.advance(10_001);
    subscriber.peer.say(bookmark(6, there));
    subscriber.clock.advance(10_000);
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(2);
  });

  it("in the middle of a split change drops its parts", () => {
    const subscriber = subscribed(snapshot(1, [terminal(1)]));
    subscriber.peer.say(change(1, 1, [gone(1)], { more: true }));
    subscriber.peer.say(change(7, 8, [terminal(2)]));
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
    subscriber.peer.give("terminals", snapshot(8, [terminal(2)], { more: true }));
    subscriber.peer.say(change(8, 8, [terminal(3)]));
    expect(subscriber.ids).toEqual(["tmux:a/2", "tmux:a/3"]);
    expect(subscriber.changes.at(-1)?.removed).toEqual([terminal(1)]);
  });

  it("again and again is not a storm of requests", () => {
    const subscriber = subscribed(snapshot(1, []));
    subscriber.random = 0.99;
    let answered = 1;
    for (let elapsed = 0; elapsed < 60_000; elapsed += 10) {
      if (subscriber.peer.asked("topic.subscribe").length > answered) {
        answered += 1;
        subscriber.peer.give("terminals", snapshot(1, []));
      }
      subscriber.peer.say(change(8, 9, []));
      subscriber.clock.advance(10);
    }
    expect(answered).toBeGreaterThan(5);
    expect(answered).toBeLessThan(15);
  });

  it("is asked about again when the snapshot does not come though its instance is there", () => {
    const subscriber = subscribed(snapshot(1, []));
    subscriber.peer.say(change(8, 9, []));
    subscriber.peer.give("terminals");
    subscriber.peer.say(bookmark(9));
    subscriber.clock.advance(9_000);
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(2);
    subscriber.clock.advance(1_001);
    subscriber.peer.say(bookmark(9));
    subscriber.clock.advance(500);
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(3);
  });
});

describe("a publisher without the additions", () => {
  it("works: rows follow, and an instance may begin with an unmarked change", () => {
    const there = { instance: THERE };
    const subscriber = subscribed(frame({ snapshot: true }, [terminal(1)]));
    subscriber.peer.say(frame({}, [terminal(2), gone(1)]));
    subscriber.peer.say(frame(there, [terminal(1, there)]));
    expect(subscriber.subscription.rows("terminals")).toEqual([terminal(2), terminal(1, there)]);
    expect(subscriber.subscription.view("terminals").instances.get(HERE)).toEqual({
      rows: new Map([[`${HERE} tmux:a/2`, terminal(2)]]),
      stale: false,
    });
    expect(subscriber.problems).toEqual([]);
  });

  it("is asked again where something unreadable may have been a frame", () => {
    const subscriber = subscribed(frame({ snapshot: true }, [terminal(1)]));
    subscriber.peer.events.text("{oops\n");
    expect(subscriber.peer.asked("topic.subscribe")).toHaveLength(2);
    expect(subscriber.isStale(HERE)).toBe(true);
    subscriber.peer.give("terminals", frame({ snapshot: true }, [terminal(2)]));
    expect(subscriber.ids).toEqual(["tmux:a/2"]);
    expect(subscriber.isStale(HERE)).toBe(false);
  });
});

describe("listeners", () => {
  it("get every valid frame as it came", () => {
    const subscriber = new Subscriber();
    const frames: unknown[] = [];
    subscriber.subscription.on("frame", (value) => frames.push(value));
    subscriber.peer.welcome();
    const sent = [snapshot(1, [terminal(1)]), bookmark(1), change(5, 6, [])];
    subscriber.peer.give("terminals", ...sent, { ev: "topic", topic: "terminals" });
    expect(frames).toEqual(sent);
  });

  it("that throw harm nobody and are told as a problem", () => {
    const subscriber = new Subscriber();
    const fault = new Error("mine");
    subscriber.subscription.on("change", () => {
      throw fault;
    });
    const later: unknown[] = [];
    subscriber.subscription.on("change", (value) => later.push(value));
    subscriber.subscription.on("problem", () => {
      throw new Error("again");
    });
    subscriber.peer.welcome();
    subscriber.peer.give("terminals", snapshot(1, [terminal(1)]));
    subscriber.peer.say(change(1, 2, [terminal(2)]));
    expect(later).toHaveLength(2);
    expect(subscriber.problems).toMatchObject([
      { kind: "listener", cause: fault },
      { kind: "listener", cause: fault },
    ]);
    expect(subscriber.ids).toEqual(["tmux:a/1", "tmux:a/2"]);
  });

  it("are ended one by one, even when they are the same function", () => {
    const subscriber = new Subscriber();
    let calls = 0;
    const listener = () => {
      calls += 1;
    };
    const end = subscriber.subscription.on("status", listener);
    subscriber.subscription.on("status", listener);
    end();
    end();
    subscriber.peer.welcome();
    expect(calls).toBe(1);
  });

  it("may close the subscription from within", () => {
    const subscriber = new Subscriber();
    subscriber.subscription.on("frame", () => subscriber.subscription.close());
    subscriber.peer.welcome();
    const [first, second] = [snapshot(1, [terminal(1)]), change(1, 2, [terminal(2)])];
    subscriber.peer.answer("topic.subscribe", { topic: "terminals" });
    subscriber.peer.events.text(`${JSON.stringify(first)}\n${JSON.stringify(second)}\n`);
    expect(subscriber.changes).toEqual([]);
    expect(subscriber.clock.pending).toBe(0);
  });
});

describe("close", () => {
  it("leaves no timer and no connection, and keeps the rows readable", async () => {
    const subscriber = subscribed(snapshot(1, [terminal(1)], {}, { polled_at: 1 }));
    subscriber.peer.say(change(5, 6, []));
    expect(subscriber.clock.pending).toBeGreaterThan(2);
    const ready = new Subscriber();
    const waiting = ready.subscription.ready("terminals");
    ready.subscription.close();
    await expect(waiting).rejects.toMatchObject({ reason: "closed" });
    await expect(ready.subscription.ready("terminals")).rejects.toMatchObject({ reason: "closed" });

    subscriber.subscription.close();
    subscriber.subscription.close();
    subscriber.subscription.wake();
    expect(subscriber.peer.isClosed).toBe(true);
    expect(subscriber.clock.pending).toBe(0);
    expect(subscriber.transport.wakers).toEqual([]);
    expect(subscriber.states).toEqual(["live", "closed"]);
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
    expect(subscriber.isStale(HERE)).toBe(true);
    expect(subscriber.transport.peers).toHaveLength(1);
  });
});
