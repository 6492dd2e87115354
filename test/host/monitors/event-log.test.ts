import { expect, test } from "vitest";
import type { MonitorEvent } from "../../../src/host/monitors/definition.ts";
import { EventLog } from "../../../src/host/monitors/event-log.ts";

const event: Omit<MonitorEvent, "event_id"> = {
  monitor_id: "monitor-1",
  reason: "check",
  lifecycle: "running",
  cursor: { segment: 1, offset: 0 },
  created_at_ms: 1,
};

function logOf(count: number): EventLog {
  const log = new EventLog();
  for (let index = 0; index < count; index += 1) log.add(event);
  return log;
}

const ids = (log: EventLog, inspection: Parameters<EventLog["page"]>[0]) =>
  log.page(inspection).events.map(({ event_id }) => event_id);

test("ids of events rise from 1", () => {
  const log = logOf(3);
  expect(ids(log, { max: 256 })).toEqual([1, 2, 3]);
  expect(log.page({ max: 1 }).next_event_id).toBe(4);
  expect(new EventLog().page({ max: 1 })).toEqual({
    events: [],
    event_gap_through: null,
    next_event_id: 1,
  });
});

test("1 024 events are kept, and the gap says which was the last to go", () => {
  const log = logOf(1_024);
  expect(log.page({ max: 1 }).event_gap_through).toBe(null);
  log.add(event);
  log.add(event);
  const { events, event_gap_through, next_event_id } = log.page({ max: 256 });
  expect(events[0]?.event_id).toBe(3);
  expect(event_gap_through).toBe(2);
  expect(next_event_id).toBe(1_027);
});

test("a page has at most as many events as asked for, the oldest first", () => {
  const log = logOf(300);
  expect(ids(log, { max: 2 })).toEqual([1, 2]);
  expect(ids(log, { after: 2, max: 2 })).toEqual([3, 4]);
  expect(ids(log, { after: 300, max: 2 })).toEqual([]);
  expect(ids(log, { max: 256 }).length).toBe(256);
});

test("reading takes nothing away", () => {
  const log = logOf(2);
  expect(ids(log, { max: 2 })).toEqual([1, 2]);
  expect(ids(log, { max: 2 })).toEqual([1, 2]);
});

test("acknowledging deletes up to the event and with it, before the page is taken", () => {
  const log = logOf(4);
  expect(ids(log, { acknowledge: 2, max: 256 })).toEqual([3, 4]);
  expect(ids(log, { after: 0, max: 256 })).toEqual([3, 4]);
  expect(ids(log, { acknowledge: 1, max: 256 })).toEqual([3, 4]);
  expect(log.page({ max: 1 }).event_gap_through).toBe(null);
});

test.each([0, 5, -1, 1.5])("acknowledging event %s of four is refused", (acknowledge) => {
  const log = logOf(4);
  expect(() => log.page({ acknowledge, max: 1 })).toThrow(
    `acknowledge_event_id must be the id of an event (from 1 to 4), got ${acknowledge}`,
  );
  expect(ids(log, { max: 256 })).toEqual([1, 2, 3, 4]);
});

test.each([0, 257, 1.5])("a page of %s events is refused", (max) => {
  expect(() => logOf(1).page({ max })).toThrow(
    `max_events must be an integer from 1 to 256, got ${max}`,
  );
});

test("a page that is refused acknowledges nothing", () => {
  const log = logOf(2);
  expect(() => log.page({ acknowledge: 2, after: -1, max: 1 })).toThrow("after_event_id");
  expect(() => log.page({ acknowledge: 2, max: 0 })).toThrow("max_events");
  expect(ids(log, { max: 256 })).toEqual([1, 2]);
});
