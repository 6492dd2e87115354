import {
  FIRST_READING_MS,
  HEARTBEAT_MS,
  MAX_INSTANCES,
  MAX_PARTS,
  MAX_VALUE_BYTES,
  PART_BYTES,
  WRITE_PERIOD_MS,
} from "../../../src/cluster/limits.ts";
import { BUSY_FRAMES_PER_SECOND } from "../../../src/topics/load.ts";
import { type Breaks, breaksOf } from "./breaks.ts";
import { waitsOf } from "./changes.ts";
import { type Fleet, fleetOf, hostsRead, LAYOUTS, type Layout } from "./fleet.ts";
import { onLine, onPlane, type Plane } from "./line.ts";
import { interestsOf, loadOf } from "./load.ts";
import type { Measured } from "./measured.ts";
import { count, mebibytes, megabytes, ms, percent, table } from "./text.ts";

/** Everybody's terminals on one page, as the product is meant to be used today. */
const FLEET: Fleet = {
  hosts: 100,
  rows: 100,
  changes: 1,
  gateways: 10,
  subscribers: 5,
  asked: 1,
};
/** What the paper is about. */
const LARGE: Fleet = { ...FLEET, hosts: 10_000, gateways: 100 };

const HOSTS = [10, 100, 300, 1_000, 3_000, 10_000];

/** The tables of docs/scale.md by their names there, in Markdown. */
export function tablesOf(measured: Measured): ReadonlyMap<string, string> {
  return new Map([
    ["where", where(measured)],
    ["limits", limits()],
    ["slopes", slopes(measured)],
    ["points", points(measured)],
    ["rates", rates(measured)],
    ["check", check(measured)],
    ["today", today(measured)],
    ["breaks", breaks(measured)],
    ["layouts", layouts(measured)],
    ["read", read(measured)],
    ["filters", filters(measured)],
    ["interest", interest(measured)],
  ]);
}

/** Above it the machine had other work, and what was measured is no more than a first idea. */
const QUIET_LOAD = 0.7;

function where({ machine, at, load }: Measured): string {
  const worth =
    load > QUIET_LOAD ? " It had other work at the time: the figures are preliminary." : "";
  return `Measured on ${at}: ${machine}; load of the machine before it: ${load.toFixed(1)}.${worth}`;
}

/** What the code itself does not go beyond. */
function limits(): string {
  const mebi = (bytes: number) => `${bytes / 2 ** 20} MiB`;
  return table(
    ["what", "limit"],
    [
      ["instances that one gateway lists", count(MAX_INSTANCES)],
      ["writes of one key", `${1_000 / WRITE_PERIOD_MS} a second`],
      ["a value in one message, compressed", mebi(PART_BYTES)],
      ["parts of a value", String(MAX_PARTS)],
      ["a value once it is decompressed", mebi(MAX_VALUE_BYTES)],
      ["how long a first subscriber waits for all hosts", ms(FIRST_READING_MS)],
      ["frames a second from where on they go every 100 ms", count(BUSY_FRAMES_PER_SECOND)],
    ],
  );
}

function slopes(measured: Measured): string {
  const line = (
    what: string,
    { at0, each }: { at0: number; each: number },
    by: string,
    text: (value: number) => string,
  ) => [what, text(at0), `${text(each)} for each ${by}`];
  const plane = (what: string, { at0, host, row }: Plane, text: (value: number) => string) => [
    what,
    text(at0),
    `${text(host)} for each host, ${text(row)} for each row`,
  ];
  const byRows = (what: string, of: Measured["writeMs"]) => line(what, of, "terminal", fine);
  return table(
    ["what", "at none", "slope"],
    [
      line("bytes of a host's value, compressed", measured.valueBytes, "terminal", bytes),
      byRows("the host's CPU to write it", measured.writeMs),
      byRows("the nats-server's CPU to take it and give it to one watcher", measured.busPutMs),
      ["the same, for each further watcher", "", fine(measured.busDeliveryMs)],
      byRows("a gateway's CPU for it when nothing changed", measured.gatewayUnchangedMs),
      byRows("a gateway's CPU for it when one row changed", measured.gatewayChangedMs),
      ["the same, for each further subscriber", "", fine(measured.gatewayFrameMs)],
      [
        "a gateway's CPU without other hosts",
        `${ms(measured.gatewayBaseMsPerSecond)} a second`,
        "",
      ],
      plane("from the subscription to all rows", measured.snapshotMs, fine),
      plane("a gateway's memory", measured.gatewayBytes, bytes),
      line("the nats-server's memory", measured.busBytes, "host that is connected", bytes),
    ],
  );
}

function points(measured: Measured): string {
  return table(
    [
      "hosts",
      "terminals",
      "value",
      "host",
      "bus",
      "gateway",
      "all rows",
      "its memory",
      "the bus's",
    ],
    [...measured.points, measured.beyond].map((point) => [
      count(point.instances),
      String(point.rows),
      bytes(point.valueBytes),
      fine(point.writeMs),
      fine(point.busMs),
      `${fine(point.unchangedMs)}, ${fine(point.changedMs)}`,
      ms(point.snapshotMs),
      mebibytes(point.gatewayBytes),
      mebibytes(point.busBytes),
    ]),
  );
}

function rates({ rates: found }: Measured): string {
  return table(
    ["changes a second", ...found.map(({ changes }) => count(changes))],
    [
      ["nats-server", ...found.map(({ busShare }) => percent(busShare))],
      ["gateway", ...found.map(({ gatewayShare }) => percent(gatewayShare))],
    ],
  );
}

/** The model beside a measurement that it was not made from. */
function check(measured: Measured): string {
  const { beyond } = measured;
  const { instances: hosts, rows } = beyond;
  // What was measured sent no bookmarks, and its heartbeats told nothing new.
  const quiet =
    measured.gatewayBaseMsPerSecond +
    ((hosts * 1_000) / HEARTBEAT_MS) * onLine(measured.gatewayUnchangedMs, rows);
  const waits = waitsOf(fleetOf(beyond), LAYOUTS.today, measured);
  return table(
    [`${count(hosts)} hosts with ${rows} terminals each`, "by the slopes", "measured"],
    [
      ["to all rows", ms(onPlane(measured.snapshotMs, hosts, hosts * rows)), ms(beyond.snapshotMs)],
      [
        "a gateway's memory",
        mebibytes(onPlane(measured.gatewayBytes, hosts, hosts * rows)),
        mebibytes(beyond.gatewayBytes),
      ],
      [
        "a gateway's CPU for heartbeats alone",
        percent(quiet / 1_000),
        percent(beyond.quietMsPerSecond / 1_000),
      ],
      [`a change at ${beyond.changes} a second, p50`, ms(waits.p50), ms(beyond.p50)],
      ["the same, p99", ms(waits.p99), ms(beyond.p99)],
    ],
  );
}

function today(measured: Measured): string {
  const layout = LAYOUTS.today;
  const fleets = HOSTS.map((hosts) => ({ ...FLEET, hosts }));
  return table(
    ["hosts", "into the bus", "nats-server", "one gateway", "its memory", "all rows", "p50", "p99"],
    fleets.map((fleet) => {
      const load = loadOf(fleet, layout, measured);
      const waits = waitsOf(fleet, layout, measured);
      return [
        count(fleet.hosts),
        `${megabytes(load.hubBytesPerSecond)}/s`,
        percent(load.hubShare),
        percent(load.gatewayShare),
        mebibytes(load.gatewayBytes),
        ms(load.snapshotMs),
        ms(waits.p50),
        ms(waits.p99),
      ];
    }),
  );
}

function breaks(measured: Measured): string {
  const sizes = [10, 100, 400].flatMap((rows) => [0.1, 1, 5].map((changes) => ({ rows, changes })));
  const cells = (found: Breaks) => [found.gateway, found.hub, found.snapshot].map(count);
  return table(
    ["terminals of a host", "changes a second", "gateway", "nats-server", "all rows in a second"],
    sizes.map((size) => [
      String(size.rows),
      String(size.changes),
      ...cells(breaksOf({ ...FLEET, ...size }, LAYOUTS.today, measured)),
    ]),
  );
}

function layouts(measured: Measured): string {
  return table(
    ["layout", "into the bus", "out of it", "its cores", "one gateway", "a host", "p50", "p99"],
    Object.values(LAYOUTS).map((layout) => {
      const load = loadOf(LARGE, layout, measured);
      const waits = waitsOf(LARGE, layout, measured);
      return [
        layout.name,
        `${megabytes(load.hubBytesPerSecond)}/s`,
        `${count(load.hubDeliveriesPerSecond)}/s`,
        cores(load.hubShare),
        percent(load.gatewayShare),
        percent(load.hostShare),
        ms(waits.p50),
        ms(waits.p99),
      ];
    }),
  );
}

/** By how much of it all a gateway reads. */
function read(measured: Measured): string {
  const parts = [1, 2, 4, 8, 16, 64];
  return table(
    ["buckets read", "hosts", "rows", "one gateway", "its memory", "all rows", "p50", "p99"],
    parts.map((read) => {
      const layout: Layout = { ...LAYOUTS.sites, read };
      const load = loadOf(LARGE, layout, measured);
      const waits = waitsOf(LARGE, layout, measured);
      const hosts = hostsRead(LARGE, layout);
      return [
        String(read),
        count(hosts),
        count(hosts * LARGE.rows),
        percent(load.gatewayShare),
        mebibytes(load.gatewayBytes),
        ms(load.snapshotMs),
        ms(waits.p50),
        ms(waits.p99),
      ];
    }),
  );
}

/** By how much of what its gateway reads a subscriber asks for. */
function filters(measured: Measured): string {
  const shares = [1, 0.1, 0.01];
  return table(
    ["subscribers of a gateway", ...shares.map((share) => `asking for ${100 * share} %`)],
    [5, 20, 100, 500].map((subscribers) => [
      String(subscribers),
      ...shares.map((asked) =>
        percent(loadOf({ ...LARGE, subscribers, asked }, LAYOUTS.sites, measured).gatewayShare),
      ),
    ]),
  );
}

/** Messages that only say that somebody still looks. */
function interest(measured: Measured): string {
  const fleets = [10, 100, 1_000].flatMap((gateways) =>
    [100, 1_000, 10_000].map((hosts) => ({ ...FLEET, hosts, gateways })),
  );
  const cells = (fleet: Fleet, layout: Layout) => {
    const messages = interestsOf(fleet, layout);
    return [`${count(messages)}/s`, cores((messages * measured.busDeliveryMs) / 1_000)];
  };
  return table(
    ["gateways", "hosts", "one bucket", "cores", "64 buckets, 4 read", "cores"],
    fleets.map((fleet) => [
      count(fleet.gateways),
      count(fleet.hosts),
      ...cells(fleet, LAYOUTS.rows),
      ...cells(fleet, LAYOUTS.sharded),
    ]),
  );
}

const cores = (share: number) => (share < 0.1 ? share.toFixed(3) : share.toFixed(1));
const bytes = (value: number) =>
  value < 10_000
    ? `${count(value)} bytes`
    : value < 1e6
      ? `${(value / 1_024).toFixed(0)} KiB`
      : mebibytes(value);
const fine = (value: number) =>
  value === 0
    ? "0 ms"
    : value < 0.1
      ? `${(value * 1_000).toFixed(value < 0.01 ? 1 : 0)} µs`
      : `${value.toPrecision(3)} ms`;
