import { describe, expect, it } from "vitest";
import type { Transport } from "../../src/client/index.ts";
import { subscribe } from "../../src/client/index.ts";
import { FakeClock } from "./support/fake-clock.ts";
import { frame, HERE, PUBLISHER, snapshot, THERE, terminal } from "./support/frames.ts";
import { Subscriber } from "./support/subscriber.ts";

const there = { instance: THERE };

function live(): Subscriber {
  const subscriber = new Subscriber();
  subscriber.peer.welcome();
  subscriber.peer.give("terminals", snapshot(1, [terminal(1)]), snapshot(1, [], there));
  return subscriber;
}

/** The delay that was announced last. */
function retryMs(subscriber: Subscriber): number {
  const { status } = subscriber.subscription;
  return status.state === "disconnected" ? status.retryMs : Number.NaN;
}

describe("a connection that ends", () => {
  it("keeps the rows, marked stale, until a snapshot replaces those of its instance", () => {
    const subscriber = live();
    subscriber.peer.end({ code: 1006 });
    expect(subscriber.state).toBe("disconnected");
    expect(subscriber.subscription.status).toMatchObject({ error: { reason: "lost" } });
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
    expect([subscriber.isStale(HERE), subscriber.isStale(THERE)]).toEqual([true, true]);
    expect(subscriber.subscription.view("terminals").status).toBe("waiting");

    subscriber.clock.advance(250);
    subscriber.peer.welcome();
    expect(subscriber.states).toEqual(["live", "disconnected", "connecting", "live"]);
    expect([subscriber.isStale(HERE), subscriber.isStale(THERE)]).toEqual([true, true]);
    subscriber.peer.give("terminals", snapshot(3, [terminal(2)], { epoch: "00000000000000bb" }));
    expect(subscriber.ids).toEqual(["tmux:a/2"]);
    expect(subscriber.changes.at(-1)).toMatchObject({
      changed: [terminal(2)],
      removed: [terminal(1)],
    });
    expect([subscriber.isStale(HERE), subscriber.isStale(THERE)]).toEqual([false, true]);
    expect(subscriber.subscription.view("terminals").status).toBe("current");
  });

  it("leaves rows old until their snapshot: a change ahead of it is not put on top of them", () => {
    const subscriber = new Subscriber();
    subscriber.peer.welcome();
    subscriber.peer.give("terminals", frame({ snapshot: true }, [terminal(1)]));
    subscriber.peer.end();
    subscriber.clock.advance(250);
    subscriber.peer.welcome();
    subscriber.peer.give("terminals", frame({}, [terminal(2)]));
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
    expect(subscriber.isStale(HERE)).toBe(true);
    subscriber.peer.say(frame({ snapshot: true }, [terminal(2)]));
    expect(subscriber.ids).toEqual(["tmux:a/2"]);
  });

  it("takes with it what was begun of instances that never got whole", () => {
    const subscriber = new Subscriber(["terminals"], { heldBytes: 20_000 });
    for (let number = 0; number < 100; number += 1) {
      subscriber.peer.welcome();
      const instance = number.toString(16).padStart(32, "0");
      subscriber.peer.say(snapshot(1, [terminal(1)], { instance, more: true }));
      subscriber.peer.end();
      subscriber.clock.advance(10_000);
    }
    expect(subscriber.state).toBe("connecting");
  });

  it("drops the parts of a snapshot that was on its way", () => {
    const subscriber = new Subscriber();
    subscriber.peer.welcome();
    subscriber.peer.give("terminals", snapshot(1, [terminal(1)], { more: true }));
    subscriber.peer.end();
    subscriber.clock.advance(500);
    subscriber.peer.welcome();
    subscriber.peer.give("terminals", snapshot(1, [terminal(2)]));
    expect(subscriber.ids).toEqual(["tmux:a/2"]);
  });

  it("is dialed again with full jitter: doubling bounds from 500 ms, capped at 10 s", () => {
    const subscriber = new Subscriber();
    const bounds: number[] = [];
    for (const random of [0.999, 0.5, 0, 0.999, 0.999, 0.999, 0.5, 0.999]) {
      subscriber.random = random;
      subscriber.peer.end({ error: new Error("refused") });
      bounds.push(retryMs(subscriber) / (random || 1));
      expect(retryMs(subscriber)).toBeLessThan(10_000);
      subscriber.clock.advance(retryMs(subscriber));
    }
    const rounded = bounds.map((bound) => Math.round(bound));
    expect(rounded).toEqual([500, 1000, 0, 4000, 8000, 10_000, 10_000, 10_000]);
    expect(subscriber.transport.peers).toHaveLength(9);
    expect(subscriber.subscription.status).toEqual({ state: "connecting" });
  });

  it("begins with the shortest bound again only after it has lasted", () => {
    const subscriber = new Subscriber();
    const end = () => {
      subscriber.peer.end();
      const delay = retryMs(subscriber);
      subscriber.clock.advance(delay);
      return delay;
    };
    const bounds = [end(), end()];
    subscriber.peer.welcome();
    bounds.push(end());
    subscriber.peer.welcome();
    subscriber.peer.give("terminals", snapshot(1, []));
    subscriber.clock.advance(10_000);
    bounds.push(end());
    expect(bounds).toEqual([250, 500, 1000, 250]);
  });

  it("for a restart is dialed again soon, whether the event or the close code says so", () => {
    const subscriber = new Subscriber();
    subscriber.peer.end();
    subscriber.clock.advance(250);
    subscriber.peer.welcome();
    subscriber.peer.say({ ev: "restarting", instance: HERE });
    expect(subscriber.state).toBe("live");
    subscriber.peer.end({ code: 1001 });
    expect(retryMs(subscriber)).toBe(250);
    subscriber.clock.advance(250);
    subscriber.peer.welcome();
    subscriber.peer.end({ code: 1012 });
    expect(retryMs(subscriber)).toBe(250);
  });

  it("is dialed at once when the network is back", () => {
    const subscriber = live();
    subscriber.peer.end();
    subscriber.clock.advance(250);
    subscriber.peer.end();
    for (const wake of subscriber.transport.wakers) wake();
    expect(subscriber.transport.peers).toHaveLength(3);
    subscriber.subscription.wake();
    expect(subscriber.transport.peers).toHaveLength(3);
    subscriber.peer.welcome();
    expect(subscriber.state).toBe("live");
    subscriber.clock.advance(9_000);
    expect(subscriber.transport.peers).toHaveLength(3);
    subscriber.peer.end();
    expect(retryMs(subscriber)).toBe(250);
  });

  it("is not dialed again where that was not wanted", async () => {
    const subscriber = new Subscriber(["terminals"], { reconnect: false });
    const ready = subscriber.subscription.ready("terminals");
    subscriber.peer.end({ error: new Error("ECONNREFUSED") });
    expect(subscriber.state).toBe("failed");
    await expect(ready).rejects.toMatchObject({ reason: "unreachable" });
    await expect(ready).rejects.toThrow("ECONNREFUSED");
    expect(subscriber.clock.pending).toBe(0);
  });

  it("says nothing more: late text and a second end are ignored", () => {
    const subscriber = live();
    const { peer } = subscriber;
    subscriber.subscription.close();
    peer.say(snapshot(1, [terminal(7)]));
    peer.end();
    expect(subscriber.ids).toEqual(["tmux:a/1"]);
    expect(subscriber.state).toBe("closed");
  });

  it("is given up when opening or greeting takes too long", () => {
    const subscriber = new Subscriber();
    subscriber.peer.events.open();
    subscriber.clock.advance(10_000);
    expect(subscriber.subscription.status).toMatchObject({
      state: "disconnected",
      error: { reason: "silent" },
    });
    expect(subscriber.peer.isClosed).toBe(true);
  });
});

describe("a failure that dialing again cannot help", () => {
  const failures: [string, string, (subscriber: Subscriber) => void][] = [
    [
      "another generation in the answer",
      "generation",
      ({ peer }) => {
        peer.events.open();
        peer.answer("hello.user", { ...PUBLISHER, protocol_version: 5 });
      },
    ],
    [
      "a greeting refused for its generation",
      "generation",
      ({ peer }) => {
        peer.events.open();
        peer.refuse("hello.user", "bad_request");
      },
    ],
    [
      "a proof of identity that lapsed",
      "unauthorized",
      ({ peer }) => {
        peer.events.open();
        peer.refuse("hello.user", "auth_expired");
      },
    ],
    [
      "credentials that the transport saw refused",
      "unauthorized",
      ({ peer }) => {
        peer.end({ code: 1006, permanent: "unauthorized", error: new Error("HTTP 401") });
      },
    ],
    [
      "an address without a publisher",
      "refused",
      ({ peer }) => {
        peer.end({ permanent: "refused", error: new Error("HTTP 404") });
      },
    ],
    [
      "an answer to the greeting that does not fit",
      "protocol",
      ({ peer }) => {
        peer.events.open();
        peer.answer("hello.user", { protocol_version: 4, instance: "me" });
      },
    ],
  ];
  for (const [name, reason, fail] of failures) {
    it(`is ${name}: it says so once and stops`, async () => {
      const subscriber = new Subscriber();
      const ready = subscriber.subscription.ready("terminals");
      fail(subscriber);
      expect(subscriber.subscription.status).toMatchObject({ state: "failed", error: { reason } });
      await expect(ready).rejects.toMatchObject({ name: "SubscriptionError", reason });
      await expect(subscriber.subscription.ready("terminals")).rejects.toMatchObject({ reason });
      expect(subscriber.clock.pending).toBe(0);
      subscriber.clock.advance(3_600_000);
      expect(subscriber.transport.peers).toHaveLength(1);

      subscriber.subscription.wake();
      expect(subscriber.state).toBe("connecting");
      subscriber.peer.welcome();
      expect(subscriber.state).toBe("live");
    });
  }

  it("is not a greeting that failed for now", () => {
    const subscriber = new Subscriber();
    subscriber.peer.events.open();
    subscriber.peer.refuse("hello.user", "internal_error");
    expect(subscriber.state).toBe("disconnected");
  });

  it("is a transport that cannot dial, told after `subscribe` has returned", () => {
    const clock = new FakeClock();
    const transport: Transport = {
      connect() {
        throw new TypeError("no such address");
      },
    };
    const subscription = subscribe({ transport, topics: ["terminals"], clock });
    expect(subscription.status.state).toBe("connecting");
    clock.advance(0);
    expect(subscription.status).toMatchObject({
      state: "failed",
      error: { message: "no such address" },
    });
  });
});
