import { pino } from "pino";
import { expect, test } from "vitest";
import type { CloseReason } from "../../src/server/close-codes.ts";
import { type Carrier, Connection } from "../../src/server/connection.ts";
import { createMetrics } from "../../src/server/metrics.ts";
import { REQUEST_BURST } from "../../src/server/pace.ts";
import { HOLD_BYTES, STALL_MS } from "../../src/topics/backlog.ts";
import { FakeHub, INSTANCE, ManualClock } from "./support.ts";

/** A connection whose carrier writes down what it is told. */
function carried() {
  const told: string[] = [];
  const sent: string[] = [];
  const carrier: Carrier & { buffered: number } = {
    kind: "unix",
    buffered: 0,
    send: (line) => sent.push(Buffer.from(line).toString()),
    close: (reason: CloseReason) => told.push(reason),
    cut: () => told.push("cut"),
    pause: () => told.push("pause"),
    resume: () => told.push("resume"),
  };
  const clock = new ManualClock();
  const hub = new FakeHub();
  const connection = new Connection(carrier, {
    hub,
    clock,
    identity: { instance: INSTANCE, version: "0", startedAt: 1, hostName: "host" },
    log: pino({ level: "silent" }),
    metrics: createMetrics(),
    ping: () => {
      throw new Error("nobody has greeted");
    },
  });
  return { connection, carrier, told, sent, clock, hub };
}

test("a flood stops the reading once, and it goes on when all of it is answered", () => {
  const { connection, told, sent, clock } = carried();
  connection.feed(Buffer.from("x\n".repeat(REQUEST_BURST)));
  expect(told).toEqual([]);
  connection.feed(Buffer.from("x\n".repeat(25)));
  connection.feed(Buffer.from("x\n"));
  expect(told).toEqual(["pause"]);
  expect(connection.paused).toBe(true);
  expect(sent).toHaveLength(REQUEST_BURST);
  clock.advance(20);
  expect(sent).toHaveLength(REQUEST_BURST + 20);
  expect(told).toEqual(["pause"]);
  clock.advance(10);
  expect(sent).toHaveLength(REQUEST_BURST + 26);
  expect(told).toEqual(["pause", "resume"]);
  expect(clock.pending).toBe(0);
});

test("quiet fills the burst up and no further", () => {
  const { connection, sent, clock } = carried();
  for (const burst of [1, 2]) {
    connection.feed(Buffer.from("x\n".repeat(REQUEST_BURST)));
    expect(sent).toHaveLength(burst * REQUEST_BURST);
    clock.advance(3_600_000);
  }
  connection.feed(Buffer.from("x\n".repeat(2 * REQUEST_BURST)));
  expect(sent).toHaveLength(3 * REQUEST_BURST);
});

test("a connection that is being closed reads and says nothing more, and holds no timer", () => {
  const { connection, told, sent, clock, hub } = carried();
  connection.feed(Buffer.from("x\n".repeat(REQUEST_BURST + 1)));
  const said = sent.length;
  connection.close("going_away");
  connection.close("restarting");
  connection.feed(Buffer.from("x\n"));
  connection.tell({ ev: "late" });
  hub.last.sink.send(Buffer.from("{}\n"));
  hub.last.sink.evict();
  expect(told).toEqual(["pause", "going_away"]);
  expect(sent).toHaveLength(said);
  expect(clock.pending).toBe(0);
  connection.end();
  connection.end();
  expect(hub.last.calls).toEqual(["end"]);
});

test("every line that goes out ends with its newline and has no other", () => {
  const { connection, sent } = carried();
  connection.feed(Buffer.from('{"op":"a\\nb","request_id":"\\n"}\nx\n'));
  connection.tell({ ev: "restarting", instance: INSTANCE });
  expect(sent).toHaveLength(3);
  for (const line of sent) expect(line).toMatch(/^[^\n]+\n$/);
});

test("a peer that asks and does not take the answers is asked no further, and goes on when it takes them", () => {
  const { connection, carrier, told, sent, clock } = carried();
  connection.feed(Buffer.from("x\n"));
  carrier.buffered = HOLD_BYTES;
  connection.feed(Buffer.from("x\nx\n"));
  expect(sent).toHaveLength(1);
  expect(told).toEqual(["pause"]);
  clock.advance(STALL_MS - 1_000);
  expect(sent).toHaveLength(1);
  carrier.buffered = HOLD_BYTES - 1;
  clock.advance(1_000);
  expect(sent).toHaveLength(3);
  expect(told).toEqual(["pause", "resume"]);
  expect(clock.pending).toBe(0);
});

test("a peer that never takes its answers is given up", () => {
  const { connection, carrier, told, clock } = carried();
  carrier.buffered = HOLD_BYTES;
  connection.feed(Buffer.from("x\n"));
  clock.advance(STALL_MS + 1_000);
  expect(told).toEqual(["pause", "too_slow"]);
  expect(clock.pending).toBe(0);
});
