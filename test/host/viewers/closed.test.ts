import { expect, test } from "vitest";
import { Attachment } from "../../../src/host/channel/attachment.ts";
import type { TerminalEvent } from "../../../src/host/channel/messages.ts";
import { Turns } from "../../../src/host/channel/turns.ts";
import { OutputWindow } from "../../../src/host/channel/window.ts";
import { infoOf } from "../../../src/host/info.ts";
import { FakeClock, settled } from "../../lib/fake-clock.ts";
import { FakeTable } from "../../lib/fake-table.ts";
import { serveHost } from "../channel/served-host.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

const WINDOW = 256 * 1024;
const PAINT = "PAINT".length;

/** A viewer of a scripted terminal, and what it is told in its order: output as so many bytes. */
async function looking(program: ScriptedTerminal, clock: FakeClock) {
  const told: (number | string)[] = [];
  const tell = (what: number | string) => {
    const last = told.at(-1);
    if (typeof what === "number" && typeof last === "number") told[told.length - 1] = last + what;
    else told.push(what);
  };
  const nameOf = (event: TerminalEvent) =>
    event.type === "changed" && event.terminal.exited !== undefined ? "exited" : event.type;
  const table = new FakeTable();
  const attachment: Attachment = new Attachment({
    host: {
      clock,
      turns: new Turns(() => 0),
      info: (terminal) => infoOf(terminal, table),
    },
    terminal: program.terminal,
    window: new OutputWindow(),
    isReadOnly: false,
    painted: Promise.resolve(),
    wire: {
      buffered: 0,
      send: (event) => tell(nameOf(event)),
      output: (bytes) => tell(bytes.length),
      end: () => tell("cut"),
      closed: () => {
        tell("closed");
        attachment.end();
      },
    },
  });
  await settled();
  return { told, attachment, acknowledge: (bytes: number) => attachment.viewer.acknowledge(bytes) };
}

const flood = (bytes: number) => Buffer.alloc(bytes, "x");

test("the end of the program and of the terminal are told after the last output", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  const { told, acknowledge } = await looking(program, clock);
  program.write(flood(WINDOW));
  acknowledge(PAINT);
  await settled();
  program.write(flood(100_000));
  program.exit(0);
  program.terminal.close();
  await settled();
  expect(told).toEqual(["attached", PAINT + WINDOW]);
  // In steps, each of which comes before patience ends.
  for (let step = 0; step < 10; step += 1) {
    await clock.advance(900);
    expect(told).not.toContain("closed");
    acknowledge(10_000);
  }
  await clock.advance(900);
  expect(told).toEqual(["attached", PAINT + WINDOW + 100_000, "exited", "closed"]);
  expect(clock.pending).toBe(0);
});

test("one that takes nothing is told that the terminal is gone a second later", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  const { told, acknowledge } = await looking(program, clock);
  acknowledge(PAINT);
  program.write(flood(WINDOW + 1_000));
  await settled();
  program.exit(0);
  program.terminal.close();
  await clock.advance(999);
  expect(told).toEqual(["attached", PAINT + WINDOW]);
  await clock.advance(1);
  expect(told).toEqual(["attached", PAINT + WINDOW, "exited", "closed"]);
});

test("one that has acknowledged is told of the end when it has everything, however slow it is", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  const { told, acknowledge } = await looking(program, clock);
  acknowledge(PAINT);
  program.write(flood(WINDOW + 100_000));
  program.exit(0);
  await settled();
  for (let step = 0; step < 10; step += 1) {
    await clock.advance(20_000);
    expect(told).not.toContain("exited");
    acknowledge(10_000);
  }
  await clock.advance(900);
  expect(told).toEqual(["attached", PAINT + WINDOW + 100_000, "exited"]);
});

test("one that never acknowledged is told of the end a second later", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  const { told } = await looking(program, clock);
  program.write(flood(WINDOW));
  program.exit(0);
  await clock.advance(999);
  expect(told).toEqual(["attached", WINDOW]);
  await clock.advance(1);
  expect(told).toEqual(["attached", WINDOW, "exited"]);
});

test("one that comes after the end is told of it behind the screen, once", async () => {
  const clock = new FakeClock();
  const program = new ScriptedTerminal(clock);
  program.write("words");
  program.exit(3);
  const { told, attachment } = await looking(program, clock);
  expect(told).toEqual(["attached", PAINT, "exited"]);
  program.terminal.rename("done");
  await clock.advance(100);
  expect(told).toEqual(["attached", PAINT, "exited", "exited"]);
  program.terminal.close();
  await clock.advance(100);
  expect(told.at(-1)).toBe("closed");
  await attachment.ended;
});

test("a viewer of a terminal that ends and is closed at once sees all of it", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const script = "stty -echo; read line; seq 1 60000; printf 'the very last'";
  const { id } = await client.script("s", script);
  const viewer = await served.connect();
  await viewer.attach(id);
  viewer.type("\r");
  const exit = { until: "exit", timeoutMs: 20_000 } as const;
  await client.read({ sessionId: "s", target: id, wait: exit });
  await client.call({ op: "close", sessionId: "s", key: "c", target: id });
  await viewer.next("changed", ({ terminal }) => terminal.exited !== undefined);
  expect(viewer.output.toString().endsWith("the very last")).toBe(true);
  await viewer.next("closed");
});

test("a host that ends tells its viewers the end first", async () => {
  const served = await serveHost();
  const client = await served.connect();
  const { id } = await client.script(
    "s",
    "trap 'printf over; exit 4' HUP; echo ready; while :; do sleep 1; done",
  );
  const viewer = await served.connect();
  await viewer.attach(id);
  await viewer.shows("ready");
  await served.host.closeAll();
  await Promise.all(served.connections.map((connection) => connection.finish()));
  await viewer.closed();
  expect(viewer.output.includes("over")).toBe(true);
  expect(viewer.events.slice(-2)).toMatchObject([
    { type: "changed", terminal: { exited: { code: 4 } } },
    { type: "closed", terminalId: id },
  ]);
});
