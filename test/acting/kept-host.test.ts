import { expect, test } from "vitest";
import { KEEP_MS, KeptHost } from "../../src/acting/kept-host.ts";
import { serveHost } from "../host/channel/served-host.ts";
import { FakeClock } from "../lib/fake-clock.ts";

test("what is done one after the other shares a connection, which ends a while after the last", async () => {
  const served = await serveHost();
  const clock = new FakeClock();
  const kept = new KeptHost({ clock, channel: async () => served.path });
  const one = await kept.use(async (connection) => connection);
  await clock.advance(KEEP_MS - 1);
  const [two, three] = await Promise.all([
    kept.use(async (connection) => connection),
    kept.use(async (connection) => connection),
  ]);
  expect(one?.hello).toBeDefined();
  expect(two).toBe(one);
  expect(three).toBe(one);
  expect(served.connections).toHaveLength(1);
  await clock.advance(KEEP_MS);
  await served.hasLeft(0);
  expect(await kept.use(async (connection) => connection)).not.toBe(one);
  await clock.advance(KEEP_MS);
});

test("a connection is kept for as long as somebody works with it", async () => {
  const served = await serveHost();
  const clock = new FakeClock();
  const kept = new KeptHost({ clock, channel: async () => served.path });
  await kept.use(async (connection) => {
    await kept.use(async () => {});
    await clock.advance(2 * KEEP_MS);
    expect(await connection?.session("any").list()).toEqual([]);
  });
  await clock.advance(KEEP_MS);
});

test("where the host has ended, or could not be reached, the next is reached anew", async () => {
  const first = await serveHost();
  const second = await serveHost();
  const clock = new FakeClock();
  let path: string | undefined = first.path;
  const kept = new KeptHost({ clock, channel: async () => path });
  await kept.use(async (connection) => {
    const [theirs] = first.connections;
    theirs?.end();
    await expect(connection?.session("any").list()).rejects.toMatchObject({ reason: "lost" });
  });
  path = "/nowhere/channel.sock";
  await expect(kept.use(async () => {})).rejects.toMatchObject({ reason: "unreachable" });
  path = undefined;
  expect(await kept.use(async (connection) => connection)).toBeUndefined();
  path = second.path;
  expect(await kept.use(async (connection) => connection?.session("any").list())).toEqual([]);
  await clock.advance(KEEP_MS);
});
