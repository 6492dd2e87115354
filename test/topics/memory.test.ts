import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { Topics } from "../../src/topics/hub.ts";
import { FakeClock, settled } from "../lib/fake-clock.ts";
import { publication, TestSink, terminal, terminalsFeed } from "./support.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Runs the collector once nothing of the turn before is on the stack. */
async function collected(): Promise<void> {
  await settled();
  collect();
}

it("a row that was superseded is let go of, even while a reader is far behind", async () => {
  const feed = terminalsFeed();
  const rows: WeakRef<TerminalInfo>[] = [];
  for (let n = 0; n < 100; n += 1) {
    const row = terminal("a", { title: String(n) });
    rows.push(new WeakRef(row));
    feed.publish(publication([row]));
  }
  await collected();
  expect(rows.filter((row) => row.deref() !== undefined)).toHaveLength(1);
  expect(feed.since(0)).toHaveLength(1);
});

it("changes that nobody forgets cost a bounded memory", async () => {
  const feed = terminalsFeed();
  const change = (n: number) => feed.publish(publication([terminal("a", { pid: n })]));
  for (let n = 1; n < 5_000; n += 1) change(n);
  await collected();
  const before = process.memoryUsage().heapUsed;
  for (let n = 1; n < 100_000; n += 1) change(n);
  await collected();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(1_000_000);
});

it("frames are let go of once they are sent", async () => {
  const clock = new FakeClock();
  const hub = new Topics({ clock });
  const feed = terminalsFeed(terminal("a"));
  hub.offer("terminals", [feed]);
  const frames: WeakRef<Uint8Array>[] = [];
  const sinks = [new TestSink(), new TestSink()];
  for (const [n, sink] of sinks.entries()) {
    sink.send = (line) => {
      frames.push(new WeakRef(line));
    };
    feed.publish(publication([terminal("a", { title: String(n) })]));
    (await hub.connect(sink).open("terminals"))();
  }
  feed.publish(publication([terminal("a", { title: "unsent" })]));
  await collected();
  expect(frames).toHaveLength(2);
  expect(frames.filter((frame) => frame.deref() !== undefined)).toEqual([]);
});
