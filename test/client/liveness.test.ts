import { describe, expect, it } from "vitest";
import { bookmark, change, frame, HERE, snapshot, THERE, terminal } from "./support/frames.ts";
import { Subscriber } from "./support/subscriber.ts";

const there = { instance: THERE };

function given(...frames: object[]): Subscriber {
  const subscriber = new Subscriber();
  subscriber.peer.welcome();
  subscriber.peer.give("terminals", ...frames);
  return subscriber;
}

const read = { polled_at: 1_790_000_000_000 };

describe("a publisher that sends bookmarks", () => {
  it("is stale after 2.5 intervals of silence, and live again with the next frame", () => {
    const subscriber = given(snapshot(1, [terminal(1)], {}, read));
    subscriber.clock.advance(24_999);
    expect(subscriber.state).toBe("live");
    expect(subscriber.peer.asked("instance.ping")).toEqual([]);
    subscriber.clock.advance(1);
    expect(subscriber.state).toBe("stale");
    expect(subscriber.isStale(HERE)).toBe(true);
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
    subscriber.peer.say(bookmark(1));
    expect(subscriber.state).toBe("live");
    expect(subscriber.isStale(HERE)).toBe(false);
    expect(subscriber.states).toEqual(["live", "stale", "live"]);
  });

  it("is not stale while bookmarks come, and is never pinged", () => {
    const subscriber = given(snapshot(1, [], {}, read));
    for (let interval = 0; interval < 60; interval += 1) {
      subscriber.clock.advance(10_000);
      subscriber.peer.say(bookmark(1));
    }
    expect(subscriber.states).toEqual(["live"]);
    expect(subscriber.peer.asked("instance.ping")).toEqual([]);
  });

  it("stays stale while it only answers pings: its process lives, its readings do not", () => {
    const subscriber = given(snapshot(1, [], {}, read));
    subscriber.clock.advance(25_000);
    for (let pings = 1; pings < 6; pings += 1) {
      expect(subscriber.peer.asked("instance.ping")).toHaveLength(pings);
      subscriber.peer.answer("instance.ping");
      expect(subscriber.state).toBe("stale");
      subscriber.clock.advance(10_000);
    }
    expect(subscriber.transport.peers).toHaveLength(1);
    subscriber.peer.say(change(1, 2, [terminal(1)]));
    expect(subscriber.state).toBe("live");
    subscriber.clock.advance(10_000);
    expect(subscriber.state).toBe("live");
  });

  it("that does not even answer is dialed anew", () => {
    const subscriber = given(snapshot(1, [terminal(1)], {}, read));
    subscriber.clock.advance(35_000);
    expect(subscriber.subscription.status).toMatchObject({
      state: "disconnected",
      error: { reason: "silent" },
    });
    expect(subscriber.peer.isClosed).toBe(true);
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
  });

  it("may have one silent instance while others are heard", () => {
    const subscriber = given(snapshot(1, [], {}, read), snapshot(1, [], there, read));
    for (let interval = 0; interval < 3; interval += 1) {
      subscriber.clock.advance(10_000);
      subscriber.peer.say(bookmark(1));
    }
    expect(subscriber.state).toBe("live");
    expect([subscriber.isStale(HERE), subscriber.isStale(THERE)]).toEqual([false, true]);
    expect(subscriber.changes.at(-2)).toEqual({
      topic: "terminals",
      instance: THERE,
      changed: [],
      removed: [],
    });
    subscriber.peer.say(bookmark(1, there));
    expect(subscriber.isStale(THERE)).toBe(false);
  });
});

describe("a publisher that keeps no chain", () => {
  const quiet = () => given(frame({ snapshot: true }, [terminal(1)]));

  it("is asked after every interval of silence, and is live as long as it answers", () => {
    const subscriber = quiet();
    for (let pings = 1; pings < 20; pings += 1) {
      subscriber.clock.advance(10_000);
      expect(subscriber.peer.asked("instance.ping")).toHaveLength(pings);
      subscriber.peer.answer("instance.ping");
    }
    expect(subscriber.states).toEqual(["live"]);
  });

  it("that knows no ping has answered too", () => {
    const subscriber = quiet();
    subscriber.clock.advance(10_000);
    subscriber.peer.refuse("instance.ping", "unknown_op");
    subscriber.clock.advance(10_000);
    expect(subscriber.state).toBe("live");
  });

  it("is stale when no answer comes, live when one comes, and dialed anew when none does", () => {
    const subscriber = quiet();
    subscriber.clock.advance(20_000);
    expect(subscriber.state).toBe("stale");
    subscriber.peer.answer("instance.ping");
    expect(subscriber.state).toBe("live");
    subscriber.clock.advance(20_000);
    expect(subscriber.state).toBe("stale");
    subscriber.peer.say(frame({}, [terminal(2)]));
    expect(subscriber.state).toBe("live");
    subscriber.clock.advance(29_999);
    expect(subscriber.state).toBe("stale");
    subscriber.clock.advance(1);
    expect(subscriber.state).toBe("disconnected");
    expect(subscriber.ids).toEqual(["tmux:a/1", "tmux:a/2"]);
  });
});

describe("waking", () => {
  it("asks an open connection, and leaves it alone when it answers", () => {
    const subscriber = given(snapshot(1, [], {}, read));
    subscriber.subscription.wake();
    subscriber.peer.answer("instance.ping");
    subscriber.clock.advance(9_000);
    expect(subscriber.states).toEqual(["live"]);
  });

  it("leaves it alone when a frame comes, too", () => {
    const subscriber = given(snapshot(1, [], {}, read));
    subscriber.subscription.wake();
    subscriber.peer.say(bookmark(1));
    subscriber.clock.advance(9_000);
    expect(subscriber.states).toEqual(["live"]);
  });

  it("replaces a connection that does not answer within 3 s", () => {
    const subscriber = given(snapshot(1, [], {}, read));
    subscriber.subscription.wake();
    subscriber.clock.advance(3_000);
    expect(subscriber.state).toBe("disconnected");
  });
});
