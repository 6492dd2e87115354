import { expect, test } from "vitest";
import { TypedInput } from "../../../src/host/channel/typed-input.ts";
import { FakeClock, settled } from "../../lib/fake-clock.ts";

function typing() {
  const clock = new FakeClock();
  const passed: string[] = [];
  const input = new TypedInput(clock, (bytes) => passed.push(Buffer.from(bytes).toString()));
  return { clock, passed, input, type: (text: string) => input.take(Buffer.from(text)) };
}

test("what is typed passes as it comes, piece by piece", () => {
  const { passed, type, clock } = typing();
  for (const text of ["a", "\x1b", "\x1b[A", "\x1b[", "b"]) type(text);
  expect(passed).toEqual(["a", "\x1b", "\x1b[A", "\x1b[", "b"]);
  expect(clock.pending).toBe(0);
});

test("Escape waits 20 ms for an answer that is due, and goes before what is typed next", async () => {
  const { passed, type, clock, input } = typing();
  input.asked("other");
  type("\x1b");
  await clock.advance(19);
  expect(passed).toEqual([]);
  await clock.advance(1);
  expect(passed).toEqual(["\x1b"]);
  type("\x1b");
  type("x");
  expect(passed).toEqual(["\x1b", "\x1bx"]);
  expect(clock.pending).toBe(0);
});

test("an interrupt waits for nothing and is typed alone", () => {
  const { passed, type, input } = typing();
  input.asked("other");
  type("\x1b");
  type("\x03");
  expect(passed).toEqual(["\x1b", "\x03"]);
});

test("an answer whose rest is there when the time is over is an answer still", async () => {
  const due: (() => void)[] = [];
  const passed: string[] = [];
  const schedule = (_ms: number, task: () => void) => {
    due.push(task);
    return () => {};
  };
  const input = new TypedInput({ now: () => 0, monotonic: () => 0, schedule }, (bytes) =>
    passed.push(Buffer.from(bytes).toString()),
  );
  input.asked("cursor");
  input.take(Buffer.from("\x1b[12"));
  // As on a loaded machine: the time is over, and what has come is read next.
  for (const task of due) task();
  input.take(Buffer.from(";40Rx"));
  await settled();
  expect(passed).toEqual(["x"]);
});

test("what waits is typed when the viewer goes", () => {
  const { passed, type, clock, input } = typing();
  input.asked("other");
  type("\x1b");
  input.flush();
  expect(passed).toEqual(["\x1b"]);
  expect(clock.pending).toBe(0);
});
