import { expect, test } from "vitest";
import { Onlookers } from "../../../src/host/onlookers.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { serveHost } from "../channel/served-host.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

test("a terminal has the size of whoever was active last", () => {
  const onlookers = new Onlookers();
  const [a, b, c] = [{}, {}, {}];
  for (const one of [a, b, c]) onlookers.add(one);
  const small = { cols: 80, rows: 24 };
  const large = { cols: 200, rows: 60 };
  onlookers.stated(a, small);
  onlookers.stated(b, large);
  expect(onlookers.active(a)).toBe(small);
  // One that never stated a size leaves it as it is.
  expect(onlookers.active(c)).toBeUndefined();
  expect(onlookers.count).toBe(3);
  expect(onlookers.remove(c)).toBeUndefined();
  expect(onlookers.remove(a)).toBe(large);
  expect(onlookers.remove(b)).toBeUndefined();
});

test("a storm of sizes is a few, the first at once and the last for good", async () => {
  const clock = new FakeClock();
  const { terminal, sizes } = new ScriptedTerminal(clock);
  void terminal.resize(81, 24);
  expect(sizes).toEqual(["81x24"]);
  for (let count = 0; count < 500; count += 1) {
    void terminal.resize(100 + count, 30);
    await clock.advance(4);
  }
  await clock.advance(100);
  expect(sizes.length).toBeLessThanOrEqual(25);
  expect(sizes.at(-1)).toBe("599x30");
  expect(terminal.size).toEqual({ cols: 599, rows: 30 });
});

test("the same size again is no change, and an ended program gets none", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  await program.terminal.resize(80, 24);
  await clock.advance(1_000);
  expect(program.sizes).toEqual([]);
  const waiting = program.terminal.resize(90, 24);
  void program.terminal.resize(91, 24);
  program.exit(0);
  await waiting;
  await clock.advance(1_000);
  expect(program.sizes).toEqual(["90x24"]);
});

test("viewers of one terminal: the one at work has its size, one that only looks has no say", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script("s", "cat");
  const [a, b, reader] = [await served.connect(), await served.connect(), await served.connect()];
  for (const viewer of [a, b]) await viewer.attach(id);
  await reader.attach(id, true);
  const terminal = served.host.terminals.get(id);
  expect(terminal?.viewers).toBe(3);
  a.send({ type: "resize", cols: 100, rows: 30 });
  await a.next("changed", ({ terminal: now }) => now.cols === 100);
  b.send({ type: "resize", cols: 120, rows: 40 });
  await a.next("changed", ({ terminal: now }) => now.cols === 120);
  await b.next("changed", ({ terminal: now }) => now.cols === 120);
  a.type("x");
  await b.next("changed", ({ terminal: now }) => now.cols === 100);
  reader.send({ type: "resize", cols: 10, rows: 10 });
  reader.type("not typed");
  expect((await reader.next("error")).message).toContain("read-only");
  a.socket.destroy();
  await b.next("changed", ({ terminal: now }) => now.cols === 120);
  expect(terminal?.viewers).toBe(2);
  const { text } = await client.read({ sessionId: "s", target: id, from: 0 });
  expect(text).toBe("x");
});

test("what is said of a terminal differs when a bell rings, once, and with the minute of its activity", async () => {
  const clock = new FakeClock(1_700_000_000_000);
  const program = new ScriptedTerminal(clock);
  const { terminal } = program;
  let changes = 0;
  terminal.changed.on(() => {
    changes += 1;
  });
  program.write("first");
  expect(changes).toBe(1);
  program.write("second");
  expect(changes).toBe(1);
  program.write("\x07\x07\x07");
  expect(changes).toBe(2);
  await clock.advance(60_000);
  program.write("third");
  expect(changes).toBe(3);
  expect(terminal.activityAt).toBe(1_700_000_060_000);
  terminal.used({});
  expect(terminal.bell).toBe(false);
  expect(changes).toBe(4);
});

test("a question to the terminal waits for no more output to be parsed", () => {
  const program = new ScriptedTerminal(new FakeClock());
  program.write("text");
  expect(program.flushes).toBe(0);
  program.write("a question\x1b[6n");
  program.write("text");
  expect(program.flushes).toBe(1);
});

test("reading stops while the screen is behind, and for nobody else", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  program.backlog = 600 * 1024;
  program.write("x");
  expect(program.isPaused).toBe(true);
  await clock.advance(100);
  expect(program.isPaused).toBe(true);
  program.backlog = 10;
  await clock.advance(2);
  expect(program.isPaused).toBe(false);
});

test("the screen of a quiet terminal is frozen again after it was read, or had another size", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  program.write("x");
  await clock.advance(60_000);
  expect(program.freezes).toBe(1);
  program.read();
  await clock.advance(59_000);
  expect(program.freezes).toBe(1);
  await clock.advance(1_000);
  expect(program.freezes).toBe(2);
  await program.terminal.resize(100, 30);
  await clock.advance(60_000);
  expect(program.freezes).toBe(3);
});

test("the screen of a quiet terminal is frozen once, and again after more output", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  program.write("x");
  await clock.advance(50_000);
  program.write("y");
  await clock.advance(59_000);
  expect(program.freezes).toBe(0);
  await clock.advance(1_000);
  expect(program.freezes).toBe(1);
  await clock.advance(600_000);
  expect(program.freezes).toBe(1);
  program.write("z");
  await clock.advance(60_000);
  expect(program.freezes).toBe(2);
});
