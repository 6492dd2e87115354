import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ChannelClient } from "../channel/channel-client.ts";
import { type BuiltHost, buildHost, RealHost } from "../hostile/real-host.ts";
import { Place, Program } from "./support.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const exit = { until: "exit", timeoutMs: 20_000 } as const;

test("with hundreds of descriptors open in the host, and gaps between them, a program has three", async () => {
  const limits = { TERMTOPIC_MAX_TERMINALS: "200", TERMTOPIC_MAX_SESSION_TERMINALS: "200" };
  const host = await RealHost.start(built, limits);
  const client = await host.connect();
  const opened = await Promise.all(
    Array.from({ length: 120 }, () => client.script("s", "read line")),
  );
  await Promise.all(Array.from({ length: 60 }, () => host.connect()));
  expect(readdirSync(`/proc/${host.pid}/fd`).length).toBeGreaterThan(300);
  // Those with the highest numbers stay, as every seventh does.
  const closed = opened.slice(0, 100).filter((_, index) => index % 7 !== 0);
  await Promise.all(
    closed.map(({ id }) =>
      client.call({ op: "close", sessionId: "s", key: `close ${id}`, target: id }),
    ),
  );
  for (let again = 0; again < 3; again += 1) {
    const { id } = await client.script("s", "ls /proc/self/fd");
    const { text } = await client.read({ sessionId: "s", target: id, wait: exit });
    // 3 is the folder that ls reads.
    expect(text.trim().split(/\s+/)).toEqual(["0", "1", "2", "3"]);
  }
}, 60_000);

test("what whoever starts a host had open ends with them, and no program inherits it", async () => {
  const place = new Place();
  const [file = "", ...args] = built.program;
  // So high that Node, which marks what it finds open, does not come that far.
  const none = Array.from({ length: 57 }, () => "ignore" as const);
  const stdio = ["ignore", "pipe", "pipe", ...none, "pipe"] as const;
  const child = spawn(file, args, { env: place.env, stdio: [...stdio] });
  const pipe = Array.from(child.stdio).at(-1);
  if (!(pipe instanceof Socket)) throw new Error("there is no pipe");
  const ended = once(pipe.resume(), "end");
  await new Program(child).listening;
  await ended;
  const client = await ChannelClient.connect(place.places.channel);
  const { id } = await client.script("s", "ls /proc/self/fd");
  const { text } = await client.read({ sessionId: "s", target: id, wait: exit });
  expect(text.trim().split(/\s+/)).toEqual(["0", "1", "2", "3"]);
});

/** What somebody could be tempted to ask about terminals and processes. */
const HELPERS = "ps stty tty lsof pgrep pkill fuser who ls cat sh bash env locale id uname tmux";

test("a host runs nothing but the programs of its terminals, so nobody else inherits one", async () => {
  const place = new Place();
  const folder = join(place.folder, "bin");
  const log = join(place.folder, "log");
  mkdirSync(folder);
  writeFileSync(log, "");
  for (const name of HELPERS.split(" ")) {
    const text = `#!/bin/sh\necho ${name} >> ${log}\nexec /bin/ls -l /proc/self/fd >> ${log}\n`;
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  const host = await RealHost.start(built, { PATH: folder });
  const client = await host.connect();
  const target = { sessionId: "s", target: "1" } as const;
  const { id } = await client.script("s", "/bin/sh -c 'echo ready; read line' & read line; exit 3");
  const viewer = await host.connect();
  await viewer.attach(id);
  await viewer.shows("ready");
  await client.call({ op: "resize", ...target, cols: 100, rows: 30 });
  await client.call({ op: "capture", ...target, scrollback: 10 });
  const long = "x".repeat(5_000);
  await client
    .call({ op: "send", ...target, key: "long", keys: [long], literal: true })
    .catch(() => {});
  viewer.send({ type: "close" });
  await viewer.until(() => viewer.events.some(({ type }) => type === "busy" || type === "closed"));
  await client.call({ op: "closeSession", sessionId: "s" });
  expect(await windows()).toEqual([]);
  expect(readFileSync(log, "utf8")).toBe("");

  // Who runs one of them is seen.
  const named = await client.script("s", "stty");
  await client.read({ sessionId: "s", target: named.id, wait: exit });
  expect(readFileSync(log, "utf8")).toMatch(/^stty\n/);

  async function windows() {
    const list = await client.call({ op: "list", sessionId: "s" });
    return list.kind === "list" ? list.windows : [];
  }
});
