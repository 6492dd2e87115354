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

test("an answer whose rest comes as the time is over is an answer still", async () => {
  const { passed, type, clock, input } = typing();
  input.asked("cursor");
  type("\x1b[12");
  const over = clock.advance(20);
  type(";40R");
  await over;
  await settled();
  expect(passed).toEqual([]);
});

test("what waits is typed when the viewer goes", () => {
  const { passed, type, clock, input } = typing();
  input.asked("other");
  type("\x1b");
  input.flush();
  expect(passed).toEqual(["\x1b"]);
  expect(clock.pending).toBe(0);
});
