import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { subscribe } from "../../../src/client/index.ts";
import { nodeWebSocketTransport } from "../../../src/client/node.ts";
import { Place } from "../support.ts";

/** The processes of this machine whose arguments name something. */
const naming = (text: string) =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });

test("demo shows the terminals of three hosts, and leaves nothing behind", async () => {
  const place = new Place();
  const demo = place.start(["demo"], { env: { TMPDIR: place.folder } });
  const line = await demo.line(/^Open http/);
  const [, endpoint = "", token = ""] = /Open (http\S+\/)#token=(\S+)/.exec(line) ?? [];
  const transport = nodeWebSocketTransport(endpoint, { token });
  const subscription = subscribe({ transport, topics: ["terminals", "instances"] });
  await new Promise<void>((resolve) => {
    const look = () => {
      if (subscription.rows("terminals").length === 9) resolve();
    };
    subscription.on("change", look);
    look();
  });
  const hosts = subscription.rows("instances").map(({ host }) => host);
  expect(hosts.sort()).toEqual(["atlas", "borea", "ceres"]);
  expect(new Set(subscription.rows("terminals").map(({ instance }) => instance)).size).toBe(3);
  subscription.close();
  demo.signal("SIGINT");
  expect((await demo.ended).code).toBe(0);
  expect(readdirSync(place.folder).filter((name) => name.startsWith("tt-demo-"))).toEqual([]);
  expect(naming(`${place.folder}/tt-demo-`)).toEqual([]);
});

test("demo says what is missing, and leaves nothing behind", async () => {
  const place = new Place();
  const env = { TMPDIR: place.folder, PATH: place.folder };
  const { code, stderr } = await place.start(["demo"], { env }).ended;
  expect(code).toBe(1);
  expect(stderr).toContain("apt install nats-server");
  expect(readdirSync(place.folder).filter((name) => name.startsWith("tt-demo-"))).toEqual([]);
});
