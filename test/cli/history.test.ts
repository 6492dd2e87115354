import { expect, test } from "vitest";
import { enters, History, type TerminalEvent } from "../../src/cli/history.ts";
import type { TopicView } from "../../src/client/types.ts";
import type { TopicFrame } from "../../src/contract/envelope.ts";
import type { RemovalReason, SourceStatus } from "../../src/contract/sources.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";

const INSTANCE = "0".repeat(32);
const row = (id: string, state: string): TerminalInfo => ({
  instance: INSTANCE,
  id: `tmux:${id}`,
  state,
  command: [],
});

/** A history that is told of changes as a subscription tells them. */
function listen() {
  const history = new History("terminals", (last, now) => last.state === now.state);
  const take = (
    changed: TerminalInfo[],
    removed: TerminalInfo[] = [],
    { reason, status = "ok" }: { reason?: RemovalReason; status?: SourceStatus } = {},
  ): TerminalEvent[] => {
    const terminals = removed.map(({ instance, id }) => ({
      instance,
      id,
      removed: true,
      ...(reason === undefined ? {} : { reason }),
    }));
    const frame: TopicFrame = {
      ev: "topic",
      topic: "terminals",
      instance: INSTANCE,
      data: { terminals },
    };
    history.note(frame);
    const view: TopicView<TerminalInfo> = {
      status: "current",
      instances: new Map([
        [
          INSTANCE,
          { rows: new Map(), stale: false, sources: [{ scheme: "tmux", status, since_at: 0 }] },
        ],
      ]),
    };
    return history.take({ topic: "terminals", instance: INSTANCE, changed, removed }, view);
  };
  return take;
}

const kinds = (events: readonly TerminalEvent[]) => events.map(({ kind }) => kind);
const entered = (events: readonly TerminalEvent[]) => events.map((event) => enters(event, "dead"));

test("what the first snapshot states was there before", () => {
  const take = listen();
  const events = take([row("a", "dead"), row("b", "running")]);
  expect(kinds(events)).toEqual(["listed", "listed"]);
  expect(entered(events)).toEqual([false, false]);
});

test("a row enters a state when it comes from another one, once", () => {
  const take = listen();
  take([row("a", "running")]);
  expect(entered(take([row("a", "dead")]))).toEqual([true]);
  expect(entered(take([{ ...row("a", "dead"), title: "new" }]))).toEqual([false]);
  expect(entered(take([row("a", "running")]))).toEqual([false]);
  expect(entered(take([row("a", "dead")]))).toEqual([true]);
});

test("a row that is new enters its state", () => {
  const take = listen();
  take([]);
  const events = take([row("a", "dead")]);
  expect(kinds(events)).toEqual(["opened"]);
  expect(entered(events)).toEqual([true]);
});

test("rows of a source that had not been read yet were there before", () => {
  const take = listen();
  take([], [], { status: "starting" });
  expect(kinds(take([row("a", "dead")]))).toEqual(["listed"]);
  expect(kinds(take([row("b", "dead")]))).toEqual(["opened"]);
});

test("a row that is gone says why", () => {
  const take = listen();
  take([row("a", "running")]);
  expect(take([], [row("a", "running")], { reason: "source_gone" })).toEqual([
    { kind: "gone", row: row("a", "running"), reason: "source_gone" },
  ]);
});

test("over a stop of the publisher only what changed enters a state", () => {
  const take = listen();
  const before = [row("a", "dead"), row("b", "running"), row("c", "running")];
  take(before);
  take([], before, { reason: "instance_stopped" });
  const back = take([row("a", "dead"), row("b", "dead"), row("d", "dead")]);
  expect(kinds(back)).toEqual(["listed", "changed", "listed"]);
  expect(entered(back)).toEqual([false, true, false]);
  expect(entered(take([row("e", "dead")]))).toEqual([true]);
});

test("a terminal that closed and came again is new", () => {
  const take = listen();
  take([row("a", "dead")]);
  take([], [row("a", "dead")], { reason: "closed" });
  expect(entered(take([row("a", "dead")]))).toEqual([true]);
});
