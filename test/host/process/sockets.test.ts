import { lstatSync, mkdtempSync, rmSync, unlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Idle } from "../../../src/host/process/idle.ts";
import { HostSockets } from "../../../src/host/process/sockets.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { Channel, greeted } from "./support.ts";

interface Opened {
  readonly sockets: HostSockets;
  readonly path: string;
  readonly faults: unknown[];
}

const greet = (socket: Socket) => void socket.write('{"hello":true}\n');

async function opened(accept = greet): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "tt-sockets-"));
  const path = join(folder, "s");
  const faults: unknown[] = [];
  const sockets = new HostSockets({
    clock: systemClock,
    sockets: [
      {
        path,
        allowHalfOpen: false,
        accept,
        refusal: () => Buffer.from('{"refused":true}\n'),
      },
    ],
    maxConnections: 2,
    changed: () => {},
    failed: (error) => faults.push(error),
  });
  await sockets.open();
  onTestFinished(async () => {
    await sockets.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { sockets, path, faults };
}

test("one beyond the limit is told so and closed, and there is room again once another has gone", async () => {
  const { sockets, path } = await opened();
  const first = await greeted(path);
  await greeted(path);
  const third = new Channel(path);
  expect(await third.next()).toEqual({ refused: true });
  await third.closed;
  expect(sockets.connections).toBe(2);
  first.socket.destroy();
  await first.closed;
  // The host may hear of it later than we do: then it refuses once more.
  for (;;) {
    const line = await new Channel(path).next();
    if (line["hello"] === true) break;
  }
});

test("a fault in accepting one connection ends that one only", async () => {
  let isFirst = true;
  const { path, faults } = await opened((socket) => {
    if (!isFirst) return greet(socket);
    isFirst = false;
    throw new Error("a fault");
  });
  await new Channel(path).closed;
  await greeted(path);
  expect(faults).toEqual([new Error("a fault")]);
});

test("a name that was taken away is put back, and who is connected stays", async () => {
  const { sockets, path } = await opened();
  const before = await greeted(path);
  const { ino } = lstatSync(path);
  await sockets.repair();
  expect(lstatSync(path).ino).toBe(ino);
  unlinkSync(path);
  await Promise.all([sockets.repair(), sockets.repair()]);
  await greeted(path);
  expect(sockets.connections).toBe(2);
  expect(before.socket.destroyed).toBe(false);
});

test("a hidden socket is found by nobody and keeps who is connected", async () => {
  const { sockets, path } = await opened();
  await greeted(path);
  await sockets.hide();
  expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
  expect(sockets.connections).toBe(1);
});

test("what is idle for long enough ends, and any use begins the time anew", async () => {
  const clock = new FakeClock();
  let isIdle = true;
  let ends = 0;
  const idle = new Idle({ clock, afterMs: 100, isIdle: () => isIdle, end: () => (ends += 1) });
  idle.look();
  await clock.advance(90);
  isIdle = false;
  idle.look();
  await clock.advance(1_000);
  isIdle = true;
  idle.look();
  await clock.advance(99);
  expect(ends).toBe(0);
  idle.look();
  await clock.advance(1);
  expect(ends).toBe(1);
  idle.stop();
});
