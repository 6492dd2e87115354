import { describe, expect, test, vi } from "vitest";
import { AskedPlace, faultOf, READING_MS } from "../../../src/inventory/asked-place.ts";
import type { ObservedTerminal } from "../../../src/inventory/terminal.ts";
import type { Answer } from "../../../src/sources/run-program.ts";
import type { Finding, Reading } from "../../../src/sources/source.ts";
import { FakeClock, settled } from "../../lib/fake-clock.ts";

type Found = Finding<ObservedTerminal>;

const ROWS: Found = { kind: "rows", items: [{ id: "x:1", state: "running" }] };
const FAILING: Found = { kind: "failing", fault: { code: "x", msg: "y" } };

/** A place that answers what the test says, each question after some time of its own. */
function asked(takes = 0) {
  const clock = new FakeClock();
  const readings: Reading<ObservedTerminal>[] = [];
  const questions: AbortSignal[] = [];
  const state = { answer: ROWS as Found | Error };
  const place = new AskedPlace({
    clock,
    name: "here",
    ask: async (signal) => {
      questions.push(signal);
      if (takes > 0) await new Promise<void>((resolve) => clock.schedule(takes, resolve));
      if (state.answer instanceof Error) throw state.answer;
      return state.answer;
    },
    onReading: (reading) => readings.push(reading),
  });
  return { clock, readings, questions, state, place };
}

describe("a place that is asked", () => {
  test("states what it answers, with when it was asked and how long it took", async () => {
    const { clock, readings, place } = asked(30);
    const at = clock.now();
    const fresh = place.fresh();
    await clock.advance(30);
    await fresh;
    expect(readings).toEqual([{ name: "here", at, finding: ROWS, ms: 30 }]);
  });

  test("is asked ever more seldom while it fails, a minute apart at the most", async () => {
    const { clock, questions, state, place } = asked();
    state.answer = FAILING;
    const times: number[] = [];
    await place.fresh();
    for (let second = 1; second <= 300; second += 1) {
      const before = questions.length;
      await clock.advance(1_000);
      place.tick();
      await settled();
      if (questions.length > before) times.push(second);
    }
    expect(times.slice(0, 6)).toEqual([1, 3, 7, 15, 31, 63]);
    expect(times.slice(6)).toEqual([123, 183, 243]);
    expect(place.isAnswering).toBe(false);
  });

  test.each([
    ["stated", { kind: "failing", fault: { code: "no_descriptors", msg: "" } } as Found],
    ["thrown", Object.assign(new Error("EMFILE"), { code: "EMFILE" })],
  ])(
    "that could not be asked for a want of ours (%s) answers within 2 s of its end",
    async (_, want) => {
      const { clock, readings, state, place } = asked();
      state.answer = want;
      await place.fresh();
      for (let second = 1; second <= 30; second += 1) {
        await clock.advance(1_000);
        place.tick();
        await settled();
        expect(readings.at(-1)?.finding).toMatchObject({ fault: { code: "no_descriptors" } });
      }
      state.answer = ROWS;
      await clock.advance(1_000);
      place.tick();
      await settled();
      expect(readings.at(-1)?.finding).toEqual(ROWS);
    },
  );

  test("counts as answered at once while it is left alone", async () => {
    const { clock, readings, state, place, questions } = asked();
    state.answer = FAILING;
    await place.fresh();
    await clock.advance(500);
    await place.fresh();
    expect(questions).toHaveLength(1);
    expect(readings).toHaveLength(1);
  });

  test("is asked at once where something changed so that it may answer now", async () => {
    const { clock, questions, state, place } = asked();
    state.answer = FAILING;
    await place.fresh();
    await clock.advance(20);
    place.wake();
    await settled();
    expect(questions).toHaveLength(1);
    state.answer = ROWS;
    place.nudge();
    await clock.advance(20);
    expect(questions).toHaveLength(2);
    expect(place.isAnswering).toBe(true);
  });

  test("is thought to answer until it was asked, and does not where there is nothing to ask", async () => {
    const { clock, questions, state, place } = asked();
    expect(place.isAnswering).toBe(true);
    state.answer = { kind: "absent" };
    await place.fresh();
    expect(place.isAnswering).toBe(false);
    await clock.advance(60_000);
    place.tick();
    expect(questions).toHaveLength(1);
    await place.fresh();
    expect(questions).toHaveLength(2);
  });

  test("is failing where asking it breaks", async () => {
    const { readings, state, place } = asked();
    state.answer = new Error("no descriptor is left");
    await place.fresh();
    expect(readings[0]?.finding).toEqual({
      kind: "failing",
      fault: { code: "unreadable", msg: "no descriptor is left" },
    });
  });

  test("may be waited for by any number, without a warning", async () => {
    const warned = vi.spyOn(process, "emitWarning");
    const { clock, questions, place } = asked(30);
    const all = Array.from({ length: 50 }, () => place.fresh());
    await clock.advance(1_000);
    await Promise.all(all);
    expect(questions.length).toBeLessThanOrEqual(2);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  test("keeps nobody waiting for longer than it may take", async () => {
    const { clock, place } = asked(60_000);
    let isOver = false;
    void place.fresh().then(() => {
      isOver = true;
    });
    await clock.advance(READING_MS - 1);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(isOver).toBe(true);
  });

  test("says nothing any more once it was stopped, and its question is ended", async () => {
    const { clock, readings, questions, place } = asked(30);
    const fresh = place.fresh();
    await settled();
    place.stop();
    await fresh;
    expect(questions[0]?.aborted).toBe(true);
    await clock.advance(1_000);
    expect(readings).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe("the answer of a program", () => {
  const answer = (fields: Partial<Answer>): Answer => ({
    exitCode: 0,
    stdout: Buffer.alloc(0),
    stderr: "",
    ...fields,
  });

  test("is good where it ended well, whatever it warns of", () => {
    expect(faultOf("kitty", answer({ stderr: "warning: old" }))).toBeUndefined();
  });

  test.each<[string, Partial<Answer>, string]>([
    ["no_answer", { exitCode: undefined, ended: "deadline" }, "kitty did not answer within 2 s"],
    ["answer_too_long", { exitCode: undefined, ended: "too_long" }, "kitty said more than is read"],
    ["no_program", { exitCode: undefined, ended: "missing" }, "kitty is not there"],
    ["no_program", { ended: "refused", stderr: "EACCES" }, "kitty cannot be run: EACCES"],
    [
      "no_descriptors",
      { exitCode: undefined, ended: "no_descriptors", stderr: "spawn EMFILE" },
      "too many files are open: spawn EMFILE",
    ],
    [
      "no_processes",
      { exitCode: undefined, ended: "no_processes", stderr: "spawn EAGAIN" },
      "too many processes run: spawn EAGAIN",
    ],
    ["failed", { exitCode: 1, stderr: "no such thing" }, "no such thing"],
    ["failed", { exitCode: 3 }, "kitty ended with 3"],
    ["failed", { exitCode: undefined }, "kitty ended with a signal"],
    ["failed", { exitCode: 1, stderr: "x".repeat(1_000) }, "x".repeat(200)],
  ])("is none (%s) where it is %j", (code, fields, msg) => {
    expect(faultOf("kitty", answer(fields))).toEqual({ code, msg });
  });
});
