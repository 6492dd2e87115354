import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { hostPlaces } from "../../../src/host/process/places.ts";
import { bundleHost, Channel, greeted, isAlive, Place, until } from "./support.ts";

let program: readonly string[];
beforeAll(async () => {
  const bundled = await bundleHost();
  program = bundled.program;
  return bundled.remove;
}, 60_000);

test("a host listens on sockets of its user alone, and its claim says where", async () => {
  const place = new Place();
  const { child, listening } = place.start(program);
  await listening;
  const { folder, topics, channel } = place.places;
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  for (const path of [topics, channel]) expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual([
    "channel.sock",
    "host-1.json",
    "supervisor.sock",
    "topics.sock",
  ]);
  expect(await place.host()).toMatchObject({ pid: child.pid, topics, channel });
});

test("a second host is refused in words and leaves the first alone", async () => {
  const place = new Place();
  const first = place.start(program);
  await first.listening;
  const before = lstatSync(place.places.channel).ino;
  const second = place.start(program);
  expect(await second.ended).toBe(1);
  expect(second.stderr).toContain(`already: pid ${first.child.pid}; use that one`);
  expect(lstatSync(place.places.channel).ino).toBe(before);
  await greeted(place.places.channel);
});

test("what a host that was killed leaves never blocks the next, and its terminals end", async () => {
  const place = new Place();
  const first = place.start(program);
  await first.listening;
  const channel = await greeted(place.places.channel);
  const { pid } = await channel.open("cat");
  first.child.kill("SIGKILL");
  await first.ended;
  await until(() => (isAlive(pid) ? undefined : true));
  expect(lstatSync(place.places.channel).isSocket()).toBe(true);

  const second = place.start(program);
  await second.listening;
  expect((await place.host())?.pid).toBe(second.child.pid);
  await greeted(place.places.channel);
  const names = readdirSync(place.places.folder).sort();
  expect(names).toEqual(["channel.sock", "host-2.json", "supervisor.sock", "topics.sock"]);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s ends every terminal, then the host",
  async (signal) => {
    const place = new Place();
    const host = place.start(program);
    await host.listening;
    const channel = await greeted(place.places.channel);
    const { pid } = await channel.open("cat");
    host.child.kill(signal);
    await channel.closed;
    expect(await host.ended).toBe(0);
    await until(() => (isAlive(pid) ? undefined : true));
    expect(readdirSync(place.places.folder)).toEqual(["host-1.json"]);
    expect(await place.host()).toBeUndefined();
  },
);

test("a client may ask it to end", async () => {
  const place = new Place();
  const host = place.start(program);
  await host.listening;
  (await greeted(place.places.channel)).ask({ end: true });
  expect(await host.ended).toBe(0);
});

test("with neither terminals nor connections it ends, and with either it stays", async () => {
  const place = new Place();
  const host = place.start(program, "--idle", "150");
  await host.listening;
  const [one, other] = await Promise.all([
    greeted(place.places.channel),
    greeted(place.places.channel),
  ]);
  const { id } = await one.open("cat");
  one.socket.destroy();
  other.ask({ close: id });
  // It still serves who is there.
  const second = await other.open("true");
  other.ask({ close: second.id });
  other.socket.destroy();
  expect(await host.ended).toBe(0);
});

test("SIGHUP ends nothing: it puts back what somebody took away", async () => {
  const place = new Place();
  const host = place.start(program);
  await host.listening;
  const channel = await greeted(place.places.channel);
  for (const name of readdirSync(place.places.folder)) unlinkSync(join(place.places.folder, name));
  host.child.kill("SIGHUP");
  await until(() => place.host());
  await until(() =>
    lstatSync(place.places.channel, { throwIfNoEntry: false }) ? true : undefined,
  );
  await greeted(place.places.channel);
  expect((await channel.open("true")).pid).toBeGreaterThan(0);
});

test("a fault ends it with a line that holds nothing of a terminal", async () => {
  const place = new Place();
  const host = place.start(program);
  await host.listening;
  (await greeted(place.places.channel)).ask({ crash: "passw0rd" });
  expect(await host.ended).toBe(1);
  expect(host.stderr).toMatch(/"kind":"SyntaxError"[^\n]*ended by a fault[^\n]*\n$/);
  expect(host.stderr).not.toContain("passw0rd");
});

test("a runtime folder that is a link, or that others can reach into, is refused", async () => {
  const place = new Place();
  const elsewhere = join(place.folder, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o700 });
  symlinkSync(elsewhere, place.runtime);
  const linked = place.start(program);
  expect(await linked.ended).toBe(1);
  expect(linked.stderr).toContain("must not be a symbolic link");
  expect(readdirSync(elsewhere)).toEqual([]);

  unlinkSync(place.runtime);
  mkdirSync(join(place.runtime, "host"), { recursive: true, mode: 0o700 });
  chmodSync(join(place.runtime, "host"), 0o755);
  const open = place.start(program);
  expect(await open.ended).toBe(1);
  expect(open.stderr).toContain("must be closed to others");
  expect(readdirSync(join(place.runtime, "host"))).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)("a runtime folder of somebody else is refused", async () => {
  const place = new Place();
  mkdirSync(place.runtime, { mode: 0o700 });
  chownSync(place.runtime, 65_534, 65_534);
  const host = place.start(program);
  expect(await host.ended).toBe(1);
  expect(host.stderr).toContain("must belong to you, it belongs to uid 65534");
  expect(readdirSync(place.runtime)).toEqual([]);
});

test("where paths are too long for the kernel the sockets have a short folder of their own", async () => {
  const place = new Place();
  const runtime = join(place.folder, "x".repeat(100));
  place.env["TERMTOPIC_RUNTIME_DIR"] = runtime;
  const host = place.start(program);
  await host.listening;
  const places = hostPlaces(runtime, place.env);
  expect(places.channel.startsWith(join(place.folder, ".termtopic-"))).toBe(true);
  expect(lstatSync(join(places.channel, "..")).mode & 0o777).toBe(0o700);
  const channel = new Channel(places.channel);
  expect(await channel.next()).toEqual({ hello: true });
});
