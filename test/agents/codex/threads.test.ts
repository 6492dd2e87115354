import { describe, expect, test } from "vitest";
import {
  chooseThread,
  type OpenThread,
  type ThreadRank,
  threadsAmong,
} from "../../../src/agents/codex/threads.ts";
import { lockOf, rolloutOf, threadId } from "./support.ts";

const ids = (...files: string[]) => threadsAmong(files).map(({ id }) => id);

describe("the threads among open files", () => {
  test("are those whose record or whose lock is open, each once", () => {
    const [one, two] = [threadId(1), threadId(2)];
    const files = [lockOf(one), rolloutOf(one), rolloutOf(one), "/dev/pts/1", lockOf(two)];
    expect(threadsAmong(files)).toEqual([
      { id: one, rollout: rolloutOf(one), recordedAt: "2026-01-02T03-04-05" },
      { id: two },
    ]);
  });

  test("may have a second record where a thread was taken back or its history compacted", () => {
    const one = threadId(1);
    const again = rolloutOf(one).replace("T03", "T04");
    const compacted = rolloutOf(one).replace(".jsonl", `_${threadId(9)}.jsonl`);
    expect(ids(rolloutOf(one), again, compacted)).toEqual([one]);
  });

  test("are also those whose file was deleted while it is open", () => {
    const one = threadId(1);
    expect(ids(`${rolloutOf(one)} (deleted)`)).toEqual([one]);
    expect(ids(`${lockOf(one)} (deleted)`)).toEqual([one]);
  });

  test.each([
    "/home/ann/.codex/thread-writer-locks/.coordination.lock",
    "/home/ann/.codex/thread-writer-locks/notes.lock",
    `/home/ann/.codex/locks/${threadId(1)}.lock`,
    `/home/ann/.codex/thread-writer-locks/${threadId(1)}.lock.bak`,
    "/home/ann/.codex/thread-writer-locks/0199ABCD-0000-7000-8000-000000000000.lock",
    `/src/rollout-2026-01-02T03-04-05-${threadId(1)}.json`,
    `/src/rollout-${threadId(1)}.jsonl`,
    "/src/rollout-2026-01-02T03-04-05-something.jsonl",
    "/src/notes.jsonl",
  ])("do not come from %s", (file) => {
    expect(ids(file)).toEqual([]);
  });
});

describe("of several threads a process runs", () => {
  const thread = (number: number): OpenThread => ({ id: threadId(number) });
  const choose = (
    ranks: Record<number, ThreadRank>,
    current?: number,
    order = Object.keys(ranks),
  ) =>
    chooseThread(
      order.map((number) => thread(Number(number))),
      ({ id }) => ranks[Number(id.slice(4, 8))] ?? "unsettled",
      current === undefined ? undefined : threadId(current),
    );

  test("the newest that is no sub-agent's, in whatever order they are open", () => {
    expect(choose({ 1: "main", 2: "main", 3: "subagent" })).toBe(threadId(2));
    expect(choose({ 1: "main", 2: "main", 3: "subagent" }, 1, ["3", "2", "1"])).toBe(threadId(2));
  });

  test("the newest of sub-agents where there is no other", () => {
    expect(choose({ 1: "subagent", 2: "subagent" })).toBe(threadId(2));
  });

  test("the only one, whatever it is", () => {
    expect(choose({ 1: "subagent" })).toBe(threadId(1));
    expect(choose({ 1: "unsettled" })).toBe(threadId(1));
    expect(choose({})).toBeUndefined();
  });

  test("the one it ran before, as long as another may be a sub-agent's", () => {
    expect(choose({ 1: "main", 2: "unsettled" }, 1)).toBe(threadId(1));
    expect(choose({ 1: "main", 2: "main" }, 1)).toBe(threadId(2));
    expect(choose({ 2: "main", 3: "unsettled" }, 1)).toBe(threadId(2));
  });

  test("none that is said before it is known of any what it is", () => {
    expect(choose({ 1: "unsettled", 2: "unsettled" })).toBeUndefined();
    expect(choose({ 1: "subagent", 2: "unsettled" })).toBeUndefined();
  });

  test("the one with the newest record, where their ids do not tell when they were made", () => {
    const old = (id: string, recordedAt?: string): OpenThread =>
      recordedAt === undefined ? { id } : { id, rollout: "/r", recordedAt };
    const [a, b] = ["1", "2"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
    const main = () => "main" as const;
    if (a === undefined || b === undefined) throw new Error("two ids");
    expect(chooseThread([old(a, "2026-01-03"), old(b, "2026-01-02")], main, undefined)).toBe(a);
    expect(chooseThread([old(a), old(b)], main, undefined)).toBe(b);
    expect(chooseThread([old(b, "2026-01-03"), thread(1)], main, undefined)).toBe(threadId(1));
  });
});
