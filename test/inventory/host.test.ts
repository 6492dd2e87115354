import { mkdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { topicsFace } from "../../src/cli/host-topics.ts";
import type { ListedTerminal } from "../../src/host/process/rows.ts";
import { type HostProcess, runHostProcess } from "../../src/host/process/run.ts";
import { Signal } from "../../src/host/signal.ts";
import { hostClaim } from "../../src/inventory/host/claim.ts";
import { HostSource } from "../../src/inventory/host.ts";
import type { ObservedTerminal } from "../../src/inventory/terminal.ts";
import { TtySource } from "../../src/inventory/ttys.ts";
import { claim } from "../../src/processes/claim.ts";
import type { Reading } from "../../src/sources/source.ts";
import { systemClock } from "../../src/time/clock.ts";
import { bundleHost, greeted, isAlive, Place, table } from "../host/process/support.ts";
import { type Subscriber, subscribe } from "./support.ts";
import { Announcements } from "./unit/support.ts";

let program: readonly string[];
beforeAll(async () => {
  const bundled = await bundleHost();
  program = bundled.program;
  return bundled.remove;
}, 60_000);

const observe = (place: Place) =>
  subscribe([], {
    table,
    sources: [
      new HostSource({ clock: systemClock, table, folder: place.places.folder }),
      new TtySource(),
    ],
  });

const statusOf = ({ sources }: Subscriber) =>
  sources.find(({ scheme }) => scheme === "pty")?.status;
const rowsOf = ({ rows }: Subscriber) => rows.filter(({ id }) => id.startsWith("pty:"));

test("its terminals are rows of the publisher while it runs, and are never seen as bare ttys", async () => {
  const place = new Place();
  const subscriber = await observe(place);
  expect(statusOf(subscriber)).toBe("absent");

  const host = place.start(program);
  await host.listening;
  await subscriber.until((one) => statusOf(one) === "ok");
  const channel = await greeted(place.places.channel);
  const { id, pid } = await channel.open("sh", "-c", "cat; exit 3");
  // Until its program runs, the process is a copy of the host's, in the host's folder.
  await subscriber.until((one) => rowsOf(one)[0]?.cwd === "/");
  const [row] = rowsOf(subscriber);
  expect(row).toMatchObject({
    id: `pty:${id}`,
    state: "running",
    pid,
    command: ["sh", "-c", "cat; exit 3"],
    cwd: "/",
    name: "one",
    title: "a title",
    cols: 80,
    rows: 24,
    bell: false,
    tty: expect.stringMatching(/^\/dev\/pts\//),
    start_tick: table.read(pid)?.startTick,
  });
  // Its device may have been somebody else's before.
  const bare = new RegExp(`^tty:.*@${pid}\\.`);
  expect(subscriber.frames.flatMap(({ frame }) => frame.data.terminals)).not.toContainEqual(
    expect.objectContaining({ id: expect.stringMatching(bare) }),
  );

  // Its reader gone, sh goes on to its end.
  const [cat] = (await table.sweep()).children(pid);
  process.kill(cat?.pid ?? 0, "SIGKILL");
  await subscriber.until((one) => rowsOf(one)[0]?.state === "dead");
  expect(rowsOf(subscriber)[0]).toMatchObject({
    exit_code: 3,
    command: ["sh", "-c", "cat; exit 3"],
  });
  expect(rowsOf(subscriber)[0]).not.toHaveProperty("pid");
  channel.ask({ close: id });
  await subscriber.until((one) => rowsOf(one).length === 0);
});

test("with the host its rows go, and the next one is found", async () => {
  const place = new Place();
  const host = place.start(program);
  await host.listening;
  const channel = await greeted(place.places.channel);
  const { id } = await channel.open("cat");
  const subscriber = await observe(place);
  expect(rowsOf(subscriber).map((row) => row.id)).toEqual([`pty:${id}`]);

  host.child.kill("SIGKILL");
  await subscriber.until((one) => statusOf(one) === "absent");
  await subscriber.until((one) => rowsOf(one).length === 0);
  // At no time was it taken for one that lives and does not answer.
  const stated = subscriber.frames.flatMap(({ frame }) => frame.data.sources ?? []);
  expect(stated.filter(({ status }) => status === "failing")).toEqual([]);

  await place.start(program).listening;
  const next = await greeted(place.places.channel);
  const opened = await next.open("cat");
  await subscriber.until((one) => rowsOf(one).some((row) => row.id === `pty:${opened.id}`));
});

test("the next publisher lists the same terminals, and no publisher ends one", async () => {
  const place = new Place();
  await place.start(program).listening;
  const channel = await greeted(place.places.channel);
  const { id, pid } = await channel.open("cat");
  const first = await observe(place);
  expect(rowsOf(first).map((row) => row.id)).toEqual([`pty:${id}`]);
  first.end();
  const second = await observe(place);
  expect(rowsOf(second)).toEqual(rowsOf(first));
  expect(isAlive(pid)).toBe(true);
});

/** A terminal that nothing runs in. */
const listed: ListedTerminal = {
  options: { id: "a b", command: ["sh"], cwd: "/" },
  createdAt: 1_700_000_000_000,
  state: "running",
  pid: undefined,
  tty: "",
  name: undefined,
  title: "",
  size: { cols: 80, rows: 24 },
  exit: undefined,
  bell: false,
  activityAt: undefined,
};

/** A host that is this process. */
async function hostHere(place: Place): Promise<HostProcess> {
  const terminals = { all: [listed], changed: new Signal(), closeAll: async () => {} };
  const host = await runHostProcess({
    places: place.places,
    table,
    clock: systemClock,
    version: "0",
    terminals,
    topics: topicsFace({
      terminals,
      instance: "3f9c1a7b5e2d48069c1a7b5e2d480691",
      clock: systemClock,
      table,
      log: pino({ level: "silent" }),
    }),
    channel: { accept() {}, refusal: () => Buffer.from(""), close: async () => {} },
    supervisor: { accept() {}, refusal: () => Buffer.from(""), close: async () => {} },
    failed: () => {},
  });
  onTestFinished(() => host.end());
  return host;
}

/** What the source says, as it says it. */
function readings(place: Place): {
  readonly said: Announcements<Reading<ObservedTerminal>>;
  readonly source: HostSource;
} {
  const said = new Announcements<Reading<ObservedTerminal>>();
  const source = new HostSource({ clock: systemClock, table, folder: place.places.folder });
  source.start((reading) => said.take(reading));
  onTestFinished(() => source.stop());
  return { said, source };
}

const says = (kind: string) => (reading: Reading<ObservedTerminal>) =>
  reading.finding.kind === kind;

test("a host that lives and cannot be reached is failing, and its terminals stay", async () => {
  const place = new Place();
  const host = await hostHere(place);
  const { said, source } = readings(place);
  const from = await said.wait(says("rows"), 0);
  expect(said.all[from - 1]?.finding).toMatchObject({ items: [{ id: "pty:a%20b" }] });
  const own = table.read(process.pid);
  expect(own !== undefined && source.manages(own)).toBe(true);

  // The host has ended its work, but the process, which is this one, lives.
  await host.end();
  const behind = await said.wait(says("failing"), from);
  // Nothing was said between, and a failing reading without items leaves the rows as they are.
  expect(behind).toBeGreaterThan(from);
  expect(said.all.slice(from, behind).map(({ finding }) => finding.kind)).not.toContain("absent");
  expect(said.all[behind - 1]?.finding).not.toHaveProperty("items");
  expect(own !== undefined && source.manages(own)).toBe(true);
});

test("one that has claimed its folder and never listens is failing, and manages nothing", async () => {
  const place = new Place();
  mkdirSync(place.places.folder, { recursive: true, mode: 0o700 });
  await claim(hostClaim(place.places.folder, table));
  const { said, source } = readings(place);
  await said.wait(says("failing"), 0);
  expect(said.all).toHaveLength(1);
  const own = table.read(process.pid);
  expect(own !== undefined && source.manages(own)).toBe(false);
});

test("a folder that is not ours alone is not believed", async () => {
  const place = new Place();
  const elsewhere = new Place();
  await hostHere(elsewhere);
  symlinkSync(elsewhere.runtime, place.runtime);
  const { said } = readings(place);
  await said.wait(says("failing"), 0);
  expect(said.all[0]?.finding).toMatchObject({
    fault: { code: "unreadable", msg: expect.stringContaining("symbolic link") },
  });
  unlinkSync(place.runtime);
  await said.wait(says("absent"), 0);
});

test("a host that comes while the source runs is found by the watch on its folder", async () => {
  const place = new Place();
  const { said, source } = readings(place);
  await source.read();
  expect(said.all.at(-1)?.finding.kind).toBe("absent");
  await hostHere(place);
  await said.wait(says("rows"), 0);
});

test("after stop nothing is said and nothing is connected", async () => {
  const place = new Place();
  await hostHere(place);
  const { said, source } = readings(place);
  await source.read();
  expect(said.all.at(-1)?.finding.kind).toBe("rows");
  source.stop();
  const { length } = said.all;
  await source.read();
  expect(said.all).toHaveLength(length);
  source.start((reading) => said.take(reading));
  await source.read();
  expect(said.all.at(-1)?.finding.kind).toBe("rows");
  expect(join(place.runtime, "host")).toBe(place.places.folder);
});
