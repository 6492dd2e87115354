import { existsSync, lstatSync, readdirSync } from "node:fs";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { findHost, type ReachOptions, reachHost } from "../../../src/host/process/reach.ts";
import { HostSource } from "../../../src/inventory/host.ts";
import type { ObservedTerminal } from "../../../src/inventory/terminal.ts";
import type { Reading } from "../../../src/sources/source.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { Announcements } from "../../inventory/unit/support.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { ChannelClient } from "../channel/channel-client.ts";
import { type BuiltHost, buildHost, RealHost } from "../hostile/real-host.ts";
import { isAlive, Place, table, until } from "./support.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

/** How often a host is killed. */
const KILLS = 12;

const reaching = (place: Place): ReachOptions => {
  const [file = "", ...args] = built.program;
  return {
    places: place.places,
    table,
    clock: systemClock,
    program: [file, ...args],
    environment: { ...place.env, SHELL: "/bin/sh" },
  };
};

const pidIn = (text: string, name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(text)?.[1]);

test("a host that is killed is found by nobody from that moment on, and another one answers, every time", async () => {
  const place = new Place();
  const options = reaching(place);
  const killed = new Set<number>();
  let host = await reachHost(options);
  for (let kill = 0; kill < KILLS; kill += 1) {
    // It has much to let go of, and is at work.
    const client = await ChannelClient.connect(host.channel);
    for (let busy = 0; busy < 4; busy += 1) await client.script("s", "yes");
    process.kill(host.pid, "SIGKILL");
    killed.add(host.pid);
    // Every other time somebody looks first, who would start none.
    if (kill % 2 === 0) expect(await findHost(options)).toBeUndefined();
    host = await reachHost(options);
    expect([...killed]).not.toContain(host.pid);
    const next = await ChannelClient.connect(host.channel);
    expect(next.events).toMatchObject([{ type: "hello", pid: host.pid, running: 0 }]);
    next.socket.destroy();
  }
}, 60_000);

test.each([
  ["makes its folder", () => true],
  ["has its claim", (name: string) => name.startsWith("host-")],
  ["has bound a socket", (name: string) => name.endsWith(".sock")],
])("one that is killed when it %s keeps no other from starting", async (_, isThere) => {
  const place = new Place();
  const begun = place.start(built.program);
  const { folder } = place.places;
  await until(() => {
    const names = existsSync(folder) ? ["", ...readdirSync(folder)] : [];
    return names.some(isThere) || undefined;
  });
  begun.child.kill("SIGKILL");
  const host = await reachHost(reaching(place));
  expect(host.pid).not.toBe(begun.child.pid);
  expect((await ChannelClient.connect(host.channel)).events[0]).toMatchObject({ pid: host.pid });
  // Of the sockets those have their names that answer.
  for (const path of [host.channel, host.topics]) expect(lstatSync(path).isSocket()).toBe(true);
});

test("with a host that is killed end the programs of its terminals, and not what has begun a session of its own", async () => {
  const host = await RealHost.start(built);
  const client = await host.connect();
  const { id } = await client.script(
    "s",
    "setsid sleep 1000 & echo own=$!; sleep 1000 & echo job=$!; echo program=$$; cat",
  );
  const wait = { until: "match", pattern: "^program=\\d+$", timeoutMs: 20_000 } as const;
  const { text } = await client.read({ sessionId: "s", target: id, wait });
  const own = pidIn(text, "own");
  onTestFinished(() => void process.kill(own, "SIGKILL"));
  await until(() => table.read(own)?.session === own || undefined);
  host.process.child.kill("SIGKILL");
  await host.process.ended;
  for (const name of ["program", "job"]) {
    await until(() => !isAlive(pidIn(text, name)) || undefined);
  }
  // The kernel hangs up sessions of the terminal, and nobody is left who would look for others.
  expect(isAlive(own)).toBe(true);
});

const says = (kind: string) => (reading: Reading<ObservedTerminal>) =>
  reading.finding.kind === kind;

test("a host that is stopped is failing and its rows stay, and once it goes on they are current", async () => {
  const host = await RealHost.start(built);
  const { id } = await (await host.connect()).script("s", "cat");
  const said = new Announcements<Reading<ObservedTerminal>>();
  const clock = new FakeClock();
  const source = new HostSource({ clock, table, folder: host.place.places.folder });
  source.start((reading) => said.take(reading));
  onTestFinished(() => source.stop());
  const from = await said.wait(says("rows"), 0);
  expect(said.all[from - 1]?.finding).toMatchObject({ items: [{ id: `pty:${id}` }] });

  process.kill(host.pid, "SIGSTOP");
  await until(() => table.read(host.pid)?.state === "T" || undefined);
  const hasSaid = (kind: string, after: number) => said.all.slice(after).some(says(kind));
  const passes = async (kind: string, after: number) => {
    await until(async () => {
      await clock.advance(1_000);
      return hasSaid(kind, after) || undefined;
    });
  };
  await passes("failing", from);
  const stopped = said.all.slice(from).map(({ finding }) => finding);
  expect(stopped.map(({ kind }) => kind)).not.toContain("absent");
  // Rows that are not stated stay as they are.
  expect(stopped.at(-1)).not.toHaveProperty("items");

  process.kill(host.pid, "SIGCONT");
  await passes("rows", said.all.length);
  expect(said.all.at(-1)?.finding).toMatchObject({ items: [{ id: `pty:${id}` }] });
}, 60_000);
