import { expect, test } from "vitest";
import { Turns } from "../../../src/host/channel/turns.ts";
import { Viewer } from "../../../src/host/channel/viewer.ts";
import { OutputWindow } from "../../../src/host/channel/window.ts";
import { FakeClock, settled } from "../../lib/fake-clock.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

const WINDOW = 256 * 1024;
const STEP = 64 * 1024;

function looking(
  scripted?: ScriptedTerminal,
  clock = new FakeClock(),
  window = new OutputWindow(),
) {
  const program = scripted ?? new ScriptedTerminal(clock);
  const seen = { output: "", bytes: 0, skipped: 0, told: [] as string[], buffered: 0 };
  const wire = {
    get buffered() {
      return seen.buffered;
    },
    output: (bytes: Uint8Array) => {
      seen.bytes += bytes.length;
      seen.output = (seen.output + Buffer.from(bytes).toString()).slice(-1_000);
    },
    passed: () => {},
    skipped: (bytes: number) => {
      seen.skipped += bytes;
    },
    refused: (why: string) => void seen.told.push(why),
    caughtUp: () => {},
    giveUp: (why: string) => void seen.told.push(why),
  };
  const turns = new Turns(() => performance.now());
  const { terminal } = program;
  const viewer = new Viewer({ terminal, wire, window, turns, clock, isReadOnly: false });
  return { program, viewer, seen, clock, window, turns };
}

const flood = (bytes: number) => Buffer.alloc(bytes, "x");

test("a viewer is painted first, then sent what comes", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  program.write("before");
  const { seen } = looking(program, clock);
  await settled();
  program.write("after");
  await settled();
  expect(seen.output).toBe("PAINTafter");
  expect(seen.skipped).toBe(0);
});

test("history that is full of colours is shorter, so that the first screen is no megabytes", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  program.line = "l".repeat(4_000);
  const { viewer, seen } = looking(program, clock);
  await settled();
  for (let before = 0; seen.bytes > before; ) {
    before = seen.bytes;
    viewer.acknowledge(before);
    await clock.advance(300);
  }
  expect(seen.output.endsWith("lPAINT")).toBe(true);
  expect(seen.bytes).toBeLessThan(512 * 1024);
  expect(seen.bytes).toBeGreaterThan(500_000);
});

test("no more than the window is on its way, and an acknowledgement lets more go", async () => {
  const { program, viewer, seen } = looking();
  await settled();
  program.write(flood(WINDOW + 1_000));
  await settled();
  expect(seen.bytes).toBe(WINDOW);
  viewer.acknowledge(STEP);
  await settled();
  expect(seen.bytes).toBe(WINDOW + 1_000 + "PAINT".length);
});

test("nothing more is written while the connection has enough to take", async () => {
  const { program, viewer, seen } = looking();
  await settled();
  seen.buffered = 64 * 1024;
  program.write("waits");
  await settled();
  expect(seen.output).toBe("PAINT");
  seen.buffered = 0;
  viewer.drained();
  await settled();
  expect(seen.output).toBe("PAINTwaits");
});

test("one that falls far behind is painted anew, and told exactly what it was not sent", async () => {
  const { program, viewer, seen } = looking();
  await settled();
  const total = 3 * 1024 * 1024;
  for (let sent = 0; sent < total; sent += STEP) {
    program.write(flood(STEP));
    await settled();
  }
  program.paint = "NEW";
  for (let round = 0; round < 20; round += 1) {
    viewer.acknowledge(STEP);
    await settled();
  }
  expect(seen.output.endsWith("NEW")).toBe(true);
  const paints = "PAINT".length + "NEW".length;
  expect(seen.bytes - paints + seen.skipped).toBe(total);
  expect(program.isPaused).toBe(false);
});

test("one that is a little behind for long is painted anew too", async () => {
  const { program, viewer, seen, clock } = looking();
  await settled();
  program.write(flood(WINDOW + 300 * 1024));
  await settled();
  await clock.advance(300);
  viewer.acknowledge(3 * STEP);
  await settled();
  expect(seen.skipped).toBe(300 * 1024 + "PAINT".length);
});

test("an interrupt shows what came of it and skips what was on the way there", async () => {
  const { program, viewer, seen, clock } = looking();
  await settled();
  program.write(flood(WINDOW + 5_000));
  await settled();
  viewer.type(Buffer.from("\x03"));
  expect(program.typed).toEqual(["!\x03"]);
  program.write("^C prompt");
  program.paint = "PROMPT";
  viewer.acknowledge(STEP);
  await clock.advance(20);
  await settled();
  expect(seen.output.endsWith("PROMPT")).toBe(true);
  expect(seen.skipped).toBe(5_000 + "PAINT".length + "^C prompt".length);
});

test("one that is not behind is not painted for an interrupt", async () => {
  const { program, viewer, seen, clock } = looking();
  await settled();
  viewer.type(Buffer.from("\x03\x03"));
  program.write("^C");
  await clock.advance(100);
  expect(seen.output).toBe("PAINT^C");
  expect(program.typed).toEqual(["!\x03\x03"]);
});

test("only the whole window, full for 30 s, ends a viewer", async () => {
  const { program, viewer, seen, clock } = looking();
  await settled();
  program.write(flood(WINDOW));
  await settled();
  await clock.advance(29_000);
  viewer.acknowledge(1);
  await clock.advance(29_000);
  expect(seen.told).toEqual([]);
  // The byte that there was room for again is sent within a moment, and from then on it counts.
  await clock.advance(1_300);
  expect(seen.told).toEqual([
    "the viewer has acknowledged nothing for 30 s while its window was full",
  ]);
});

test("one that begins to acknowledge in larger steps is not left waiting", async () => {
  const { program, viewer, seen, clock, window } = looking();
  await settled();
  // Small steps on a slow link make the window small.
  for (let round = 0; round < 20; round += 1) {
    program.write(flood(8 * 1024));
    await clock.advance(15);
    viewer.acknowledge(8 * 1024);
    await settled();
  }
  expect(window.size).toBeLessThan(32 * 1024);
  program.write(flood(STEP));
  await settled();
  const before = seen.bytes;
  await clock.advance(300);
  expect(seen.bytes).toBeGreaterThan(before);
  expect(window.inFlight).toBeGreaterThanOrEqual(STEP);
});

test("a quiet viewer with a window of its own is never given up", async () => {
  const { program, seen, clock } = looking();
  program.write("a few words");
  await clock.advance(600_000);
  expect(seen.told).toEqual([]);
});

test("where the screen cannot be read the output itself is shown", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  program.isReadable = false;
  program.write("words");
  const { seen } = looking(program, clock);
  await settled();
  program.write(" and more");
  await settled();
  expect(seen.output).toBe("\x18\x1bcwords and more");
});

test("what is on its way counts over everything that a connection looks at", async () => {
  const { program, viewer, seen, window, clock } = looking();
  await settled();
  program.write(flood(WINDOW));
  await settled();
  viewer.end();
  const next = looking(new ScriptedTerminal(clock), clock, window);
  await settled();
  expect(next.seen.bytes).toBe(0);
  next.viewer.acknowledge(WINDOW);
  await settled();
  expect(next.seen.output).toBe("PAINT");
  expect(seen.bytes).toBe(WINDOW);
});

test("what is typed and not taken is told", async () => {
  const { program, viewer, seen } = looking();
  await settled();
  program.exit(0);
  viewer.type(Buffer.from("late"));
  expect(seen.told).toEqual(["the program has ended: 0 of 4 bytes were typed"]);
});

test("a sender that fails ends, and the others are sent", async () => {
  const turns = new Turns(() => performance.now());
  const failures: unknown[] = [];
  let sent = 0;
  const broken = {
    sendSlice: () => {
      throw new Error("broken");
    },
    failed: (error: unknown) => void failures.push(error),
  };
  const sound = {
    sendSlice: () => {
      sent += 1;
      return sent < 3;
    },
    failed: () => {},
  };
  turns.wake(broken);
  turns.wake(sound);
  await settled();
  expect(failures).toHaveLength(1);
  expect(sent).toBe(3);
});

test("senders take turns, one slice each", async () => {
  const turns = new Turns(() => 0);
  const order: string[] = [];
  const sender = (name: string, slices: number) => {
    let left = slices;
    return {
      sendSlice: () => {
        order.push(name);
        left -= 1;
        return left > 0;
      },
      failed: () => {},
    };
  };
  turns.wake(sender("a", 3));
  turns.wake(sender("b", 1));
  turns.wake(sender("c", 2));
  await settled();
  expect(order.join("")).toBe("abcaca");
});
