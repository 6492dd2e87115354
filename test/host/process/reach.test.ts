import { once } from "node:events";
import { lstatSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { requireHostFolders } from "../../../src/host/process/places.ts";
import { findHost, type ReachOptions, reachHost } from "../../../src/host/process/reach.ts";
import { hostClaim } from "../../../src/inventory/host/claim.ts";
import { claim } from "../../../src/processes/claim.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { bundleHost, greeted, Place, table, until } from "./support.ts";

let program: ReachOptions["program"];
beforeAll(async () => {
  const bundled = await bundleHost();
  program = bundled.program;
  return bundled.remove;
}, 60_000);

const options = (place: Place, rest: Partial<ReachOptions> = {}): ReachOptions => ({
  places: place.places,
  table,
  clock: systemClock,
  program,
  environment: place.env,
  ...rest,
});

test("a host is started where none runs: in a session of its own, in /, and it is found from then on", async () => {
  const place = new Place();
  expect(await findHost(options(place))).toBeUndefined();
  expect(lstatSync(place.runtime, { throwIfNoEntry: false })).toBeUndefined();
  const host = await reachHost(options(place));
  await greeted(host.channel);
  expect(host.version).toMatch(/^\d/);
  expect(table.read(host.pid)).toMatchObject({ session: host.pid, ttyDevice: 0 });
  expect(table.cwd(host.pid)?.path).toBe("/");
  expect(await findHost(options(place))).toEqual(host);
  expect(await reachHost(options(place))).toEqual(host);
});

test("several who start one at once get the same", async () => {
  const place = new Place();
  const hosts = await Promise.all(Array.from({ length: 4 }, () => reachHost(options(place))));
  expect(new Set(hosts.map(({ pid }) => pid)).size).toBe(1);
});

test("after a host was killed the next one is another, also at once", async () => {
  const place = new Place();
  let { pid } = await reachHost(options(place));
  for (let killed = 0; killed < 5; killed += 1) {
    // It takes the kernel a moment, in which its socket still takes connections.
    process.kill(pid, "SIGKILL");
    const next = await reachHost(options(place));
    expect(next.pid).not.toBe(pid);
    await greeted(next.channel);
    pid = next.pid;
  }
});

test("one whose process lives and whose socket greets nobody is not found", async () => {
  const place = new Place();
  await requireHostFolders(place.places);
  const { folder, topics, channel } = place.places;
  const server = createServer((socket) => socket.destroy()).listen(channel);
  await once(server, "listening");
  const { claim: ours } = await claim(hostClaim(folder, table));
  await ours?.state({ version: "1.2.3", topics, channel });
  expect(await findHost(options(place))).toBeUndefined();
  server.close();
});

test("one that is about to end is waited for, and the next is started then", async () => {
  const place = new Place();
  const first = await reachHost(options(place));
  const channel = await greeted(first.channel);
  await channel.open("cat");
  channel.ask({ end: true });
  await until(() => (lstatSync(first.channel, { throwIfNoEntry: false }) ? undefined : true));
  const next = await reachHost(options(place));
  expect(next.pid).not.toBe(first.pid);
});

test("one that cannot begin says why", async () => {
  const place = new Place();
  const why =
    "console.error('termtopic: there is no pseudo-terminal; install some'); process.exit(1)";
  const started = reachHost(options(place, { program: [process.execPath, "-e", why] }));
  await expect(started).rejects.toThrow(
    "the terminal host ends as soon as it is started: there is no pseudo-terminal; install some",
  );
  const log = join(dirname(place.places.channel), "host.log");
  expect(lstatSync(log).mode & 0o777).toBe(0o600);
  expect(readFileSync(log, "utf8")).toContain("install some");
});

test("a program that is not there is told in words", async () => {
  const started = reachHost(options(new Place(), { program: ["/nowhere/node", "host"] }));
  await expect(started).rejects.toThrow("run `termtopic host` to see why");
});

test("one that lives and does not listen is never replaced", async () => {
  const place = new Place();
  await requireHostFolders(place.places);
  await claim(hostClaim(place.places.folder, table));
  const started = reachHost(options(place, { withinMs: 200 }));
  await expect(started).rejects.toThrow(`(pid ${process.pid}) lives and does not listen`);
});
