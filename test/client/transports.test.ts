import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import {
  type Status,
  type Subscription,
  subscribe,
  type Transport,
  webSocketTransport,
} from "../../src/client/index.ts";
import { nodeWebSocketTransport, unixSocketTransport } from "../../src/client/node.ts";
import { frame, gone, terminal } from "./support/frames.ts";
import { PlainPublisher } from "./support/plain-publisher.ts";

type Topic = "terminals" | "agents" | "terminals.usage";

let publisher: PlainPublisher;
const open: Subscription<Topic>[] = [];

beforeEach(async () => {
  publisher = new PlainPublisher();
  await publisher.listen();
});

afterEach(async () => {
  for (const subscription of open.splice(0)) subscription.close();
  await publisher.close();
});

function subscribeTo(transport: Transport, topics: Topic[] = ["terminals"]): Subscription<Topic> {
  // No jitter: a real clock is waited for, so the shortest delay is chosen.
  const subscription = subscribe({ transport, topics, random: () => 0 });
  open.push(subscription);
  return subscription;
}

function reached(subscription: Subscription<Topic>, state: Status["state"]): Promise<Status> {
  return new Promise((resolve) => {
    const end = subscription.on("status", (status) => {
      if (status.state !== state) return;
      end();
      resolve(status);
    });
    if (subscription.status.state === state) resolve(subscription.status);
  });
}

function changed(subscription: Subscription<Topic>): Promise<void> {
  return new Promise((resolve) => {
    const end = subscription.on("change", () => {
      end();
      resolve();
    });
  });
}

const transports: [string, () => Transport][] = [
  [
    "WebSocket of Node",
    () => nodeWebSocketTransport(publisher.endpoint, { token: publisher.token }),
  ],
  [
    "WebSocket of a browser",
    () =>
      webSocketTransport(publisher.endpoint, {
        token: publisher.token,
        open: (address, protocols) => new WebSocket(address, protocols),
      }),
  ],
  ["Unix socket", () => unixSocketTransport(publisher.socketPath)],
];

for (const [name, make] of transports) {
  describe(`over the ${name}`, () => {
    it("a publisher without the additions is subscribed to, several topics at once", async () => {
      const subscription = subscribeTo(make(), ["terminals", "agents", "terminals.usage"]);
      const refused = subscription.ready("terminals.usage");
      refused.catch(() => {});
      expect(await subscription.ready("terminals")).toEqual([terminal(1), terminal(2)]);
      expect(await subscription.ready("agents")).toEqual([]);
      await expect(refused).rejects.toThrow("invalid_args");
      publisher.say(frame({}, [gone(1)]), frame({}, [terminal(3, { title: "日本 ✓" })]));
      await changed(subscription);
      if (subscription.rows("terminals").length < 2) await changed(subscription);
      expect(subscription.rows("terminals").map(({ title }) => title)).toEqual([
        undefined,
        "日本 ✓",
      ]);
    });

    it("a cut connection is made again, and its snapshot replaces the rows", async () => {
      const subscription = subscribeTo(make());
      await subscription.ready("terminals");
      const cut = reached(subscription, "disconnected");
      publisher.rows = [terminal(9)];
      publisher.hangUp();
      await cut;
      expect(subscription.rows("terminals")).toEqual([terminal(1), terminal(2)]);
      expect(await subscription.ready("terminals")).toEqual([terminal(9)]);
    });

    it("another generation is a failure that says so", async () => {
      publisher.generation = 5;
      const subscription = subscribeTo(make());
      const { state, error } = (await reached(subscription, "failed")) as Status & {
        state: "failed";
      };
      expect(state).toBe("failed");
      expect(error.message).toContain("speaks generation 5, this client 4");
    });

    it("a frame as long as a frame may be arrives whole", async () => {
      publisher.rows = Array.from({ length: 900 }, (_, number) =>
        terminal(number, { title: "é".repeat(500) }),
      );
      expect(await subscribeTo(make()).ready("terminals")).toEqual(publisher.rows);
    });

    it("closing ends the conversation at the publisher, too", async () => {
      const subscription = subscribeTo(make());
      await subscription.ready("terminals");
      subscription.close();
      await expect.poll(() => publisher.conversations.size).toBe(0);
    });
  });
}

describe("the WebSocket of Node", () => {
  it("offers the subprotocol and the token, at `<endpoint>ws`, without compression", async () => {
    const transport = nodeWebSocketTransport(publisher.endpoint, {
      token: publisher.token,
      headers: { Origin: "https://dashboard.example" },
    });
    await subscribeTo(transport).ready("terminals");
    expect(publisher.upgrade).toMatchObject({
      "sec-websocket-protocol": "ccmsg.v1,ccmsg.token.let-me-in",
      origin: "https://dashboard.example",
    });
    expect(publisher.upgrade).not.toHaveProperty("sec-websocket-extensions");
  });

  const refusals: [string, string | undefined, string, string][] = [
    ["401 Unauthorized", undefined, "failed", "unauthorized"],
    ["403 Forbidden", "403 Forbidden", "failed", "unauthorized"],
    ["404 Not Found", "404 Not Found", "failed", "refused"],
    ["503 Service Unavailable", "503 Service Unavailable", "disconnected", "unreachable"],
  ];
  for (const [status, refusal, state, reason] of refusals) {
    it(`takes ${status} as ${state}, ${reason}`, async () => {
      publisher.refusal = refusal;
      const transport = nodeWebSocketTransport(publisher.endpoint, { token: "wrong" });
      const subscription = subscribeTo(transport);
      const ended = await reached(subscription, state as Status["state"]);
      expect(ended).toMatchObject({ error: { reason } });
      const { error } = ended as { error?: Error };
      expect(error?.message).toBe(`no connection could be made: HTTP ${status}`);
    });
  }

  it("gives up an opening that is not answered", async () => {
    const mute = createServer(() => {});
    mute.listen(0, "127.0.0.1");
    await once(mute, "listening");
    const endpoint = `http://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
    const transport = nodeWebSocketTransport(endpoint, { handshakeTimeoutMs: 50 });
    const subscription = subscribeTo(transport);
    expect(await reached(subscription, "disconnected")).toMatchObject({
      error: { reason: "unreachable" },
    });
    subscription.close();
    mute.close();
  });

  it("finds nobody where nobody listens, and goes on trying", async () => {
    const away = nodeWebSocketTransport("http://127.0.0.1:1/");
    const ended = await reached(subscribeTo(away), "disconnected");
    expect(ended).toMatchObject({ error: { reason: "unreachable" } });
  });
});

describe("the Unix socket", () => {
  it("finds nobody where there is no file, and goes on trying", async () => {
    const away = unixSocketTransport(`${publisher.folder}/none.sock`);
    const ended = await reached(subscribeTo(away), "disconnected");
    expect(ended).toMatchObject({ error: { reason: "unreachable" } });
    expect((ended as { error?: Error }).error?.message).toContain("ENOENT");
  });
});

describe("the WebSocket of a browser", () => {
  it("is refused with a clear word where there is none", async () => {
    const subscription = subscribeTo(webSocketTransport("http://127.0.0.1:1/"));
    const ended = (await reached(subscription, "failed")) as Status & { state: "failed" };
    expect(ended.error.message).toContain("nodeWebSocketTransport in termtopic/client/node");
  });

  it("wakes the subscription when the surroundings say `online`", () => {
    const target = new EventTarget();
    const surroundings = globalThis as Record<string, unknown>;
    surroundings["addEventListener"] = target.addEventListener.bind(target);
    surroundings["removeEventListener"] = target.removeEventListener.bind(target);
    try {
      const transport = webSocketTransport("https://desk.example/");
      let woken = 0;
      const end = transport.onWake?.(() => {
        woken += 1;
      });
      target.dispatchEvent(new Event("online"));
      end?.();
      target.dispatchEvent(new Event("online"));
      expect(woken).toBe(1);
    } finally {
      delete surroundings["addEventListener"];
      delete surroundings["removeEventListener"];
    }
  });
});

describe("an address", () => {
  it("that is no endpoint, or a token that cannot travel, is refused and never shown", () => {
    for (const endpoint of ["http://desk", "ws://desk/", "http://desk/?q/", "desk/", "http:///"]) {
      expect(() => webSocketTransport(endpoint)).toThrow(JSON.stringify(endpoint));
    }
    const token = "two words";
    expect(() => nodeWebSocketTransport("http://desk/", { token })).toThrow("`token`");
    expect(() => nodeWebSocketTransport("http://desk/", { token })).not.toThrow(token);
  });
});
