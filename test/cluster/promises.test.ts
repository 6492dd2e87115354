import { beforeAll, describe, expect, it } from "vitest";
import { MAX_FRAME_BYTES, type TopicFrame } from "../../src/contract/envelope.ts";
import { type FoldState, fold } from "../../src/contract/fold.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { World } from "./faults/world.ts";
import { bucketOf, bus, link, type Subscriber, TestInstance } from "./ground.ts";

/** Instances on one bus, each over a link of its own; a subscriber of the first one. */
async function several(count: number, { isSlow = false } = {}) {
  const server = await bus();
  const ways = await Promise.all(Array.from({ length: count }, () => link(server)));
  const instances = ways.map(({ url }) => new TestInstance({ url, isSlow }));
  await Promise.all(instances.map((instance) => instance.met("joined")));
  const [here, there, third] = instances as [TestInstance, TestInstance, TestInstance];
  for (const instance of instances) instance.state("a");
  const subscriber = await here.subscriber().open("terminals", "instances");
  await subscriber.until(() => instances.every((one) => subscriber.ids(one)?.length === 1));
  return { server, ways, here, there, third, subscriber };
}

const snapshotsOf = (subscriber: Subscriber, instance: TestInstance) =>
  subscriber.of(instance).filter(({ snapshot }) => snapshot === true);

const errorOf = (subscriber: Subscriber, instance: TestInstance) =>
  subscriber.sources(instance)?.[0]?.error?.code;

const listed = (subscriber: Subscriber, { instance }: TestInstance) =>
  subscriber.instances.find(({ id }) => id === instance)?.reachable;

const titleOf = (subscriber: Subscriber, instance: TestInstance) =>
  subscriber.rows<TerminalInfo>(instance)[0]?.title;

/** States the same terminal under another title so many times, each after the event loop came round. */
async function retitle(instance: TestInstance, times: number): Promise<void> {
  for (let count = 1; count <= times; count += 1) {
    instance.state(instance.row("a", { title: String(count) }));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe("a subscriber of any instance", () => {
  it("P1: gets one snapshot of each instance before anything else of it, of one without rows too", async () => {
    const { here, there, subscriber: first } = await several(2);
    there.state();
    await first.until(() => first.ids(there)?.length === 0);
    const subscriber = await here.subscriber().open("terminals");
    await subscriber.until(() => subscriber.sources(there)?.[0]?.status === "ok");
    there.state("b");
    await subscriber.until(() => subscriber.ids(there)?.length === 1);
    for (const instance of [here, there]) {
      expect(subscriber.of(instance)[0]).toHaveProperty("snapshot", true);
      expect(snapshotsOf(subscriber, instance)).toHaveLength(1);
    }
  });

  it("P2: keeps the rows of all others when one is stated anew", async () => {
    const { ways, there, third, subscriber } = await several(3);
    const before = subscriber.of(third).length;
    ways[1]?.cut();
    await subscriber.until(() => listed(subscriber, there) === false);
    ways[1]?.heal();
    await subscriber.until(() => snapshotsOf(subscriber, there).length === 2);
    expect(subscriber.ids(third)).toEqual(["pty:a"]);
    expect(subscriber.of(third).slice(before)).toEqual([]);
  });

  it("P3: holds what is there once it is quiet", async () => {
    const { here, there, third, subscriber } = await several(3);
    const all = [here, there, third];
    const other = await there.subscriber().open("terminals");
    const handles = ["a", "b", "c", "d"];
    for (let step = 0; step < 60; step += 1) {
      for (const [index, one] of all.entries())
        one.state(...handles.filter((_, place) => ((step * (index + 3)) >> place) % 2 === 0));
      await new Promise((resolve) => setTimeout(resolve, step % 7));
    }
    for (const one of all) one.state("d", "e");
    const holds = (who: Subscriber) => () =>
      all.every((one) => String(who.ids(one)?.toSorted()) === "pty:d,pty:e");
    await Promise.all([subscriber, other].map((who) => who.until(holds(who))));
  });

  it("P4: misses no frame of another instance without a hole at the next", async () => {
    const { there, subscriber } = await several(2);
    await retitle(there, 30);
    await subscriber.until(() => titleOf(subscriber, there) === "30");
    // The subscriber folds each frame, and throws at a hole.
    const frames = subscriber.of(there);
    expect(frames.length).toBeGreaterThan(3);
    for (const missed of frames.keys()) {
      const next = frames[missed + 1];
      if (missed === 0 || next === undefined || frames[missed]?.seq === frames[missed]?.prev_seq)
        continue;
      const state = foldAll(frames.slice(0, missed));
      expect(fold("terminals", state, next).outcome).toBe("hole");
    }
  });

  it("P5: gets the values of a row in order, and the last", async () => {
    const { there, subscriber } = await several(2);
    await retitle(there, 200);
    await subscriber.until(() => titleOf(subscriber, there) === "200");
    const titles = subscriber.of(there).flatMap(({ data }) => {
      const { terminals } = data as { terminals: TerminalInfo[] };
      return terminals.flatMap(({ title }) => (title === undefined ? [] : [Number(title)]));
    });
    expect(titles).toEqual(titles.toSorted((one, other) => one - other));
  });

  it("P6: keeps rows that cannot be read, and rows that nobody else reads any more", async () => {
    const { here, there, subscriber } = await several(2);
    there.terminals.stand({ sources: [{ scheme: "pty", status: "failing", since_at: 1 }] });
    there.topics.changed();
    await subscriber.until(() => subscriber.sources(there)?.[0]?.status === "failing");
    expect(subscriber.ids(there)).toEqual(["pty:a"]);
    const another = await here.subscriber().open("terminals");
    await another.until(() => another.ids(there)?.length === 1);
    another.end();
    there.bookmark();
    await subscriber.until(() => subscriber.sources(there)?.[0]?.status === "ok");
    expect(JSON.stringify(subscriber.of(there))).not.toContain("removed");
  });

  it("P7: is told of a death by rows that are out of date, then removed; of a stop at once", async () => {
    const { ways, there, third, subscriber } = await several(3);
    third.takeBack();
    await third.cluster.end("stopped");
    await subscriber.until(() => listed(subscriber, third) === false);
    expect(subscriber.ids(third)).toEqual([]);
    expect(JSON.stringify(subscriber.of(third))).toContain('"reason":"instance_stopped"');
    expect(JSON.stringify(subscriber.of(third))).not.toContain("instance_silent");
    ways[1]?.cut();
    await subscriber.until(() => errorOf(subscriber, there) === "instance_silent");
    expect(subscriber.ids(there)).toEqual(["pty:a"]);
    await subscriber.until(() => listed(subscriber, there) === false);
    expect(subscriber.ids(there)).toEqual([]);
    expect(JSON.stringify(subscriber.of(there))).toContain('"reason":"instance_lost"');
  });

  it("P8: loses no rows of an instance that is held up for less than its lease", async () => {
    const { ways, there, subscriber } = await several(2, { isSlow: true });
    ways[1]?.hold();
    await subscriber.until(() => errorOf(subscriber, there) === "instance_silent");
    ways[1]?.heal();
    await subscriber.until(() => errorOf(subscriber, there) === undefined);
    expect(JSON.stringify(subscriber.of(there))).not.toContain("removed");
  });

  it("P8: has an instance back whole that was lost", async () => {
    const { ways, there, subscriber } = await several(2);
    ways[1]?.hold();
    await subscriber.until(() => listed(subscriber, there) === false);
    const before = subscriber.of(there).length;
    ways[1]?.heal();
    await subscriber.until(() => subscriber.ids(there)?.length === 1);
    expect(subscriber.of(there)[before]).toHaveProperty("snapshot", true);
  });

  it("P10: gets few frames however often another instance's rows change, and the last value", async () => {
    const { there, subscriber } = await several(2, { isSlow: true });
    const before = { frames: subscriber.of(there).length, written: there.written };
    const from = performance.now();
    await retitle(there, 500);
    await subscriber.until(() => titleOf(subscriber, there) === "500");
    // One at the start and one at the end, beside 20 a second.
    const most = ((performance.now() - from) / 1_000) * 20 + 3;
    expect(there.written - before.written).toBeLessThan(most);
    expect(subscriber.of(there).length - before.frames).toBeLessThan(most);
  });

  it("P12: is not told a row that another instance's key holds", async () => {
    const { server, here, there, subscriber } = await several(2);
    const kv = await bucketOf(server);
    const stranger = "f".repeat(32);
    const head = { v: 1, host: "h", epoch: "0".repeat(16), seq: 1, bookmarks: 0, polled_at: 1 };
    const value = { ...head, removed: [], rows: [there.row("forged")] };
    await kv.put(`${stranger}.terminals`, JSON.stringify({ ...value, instance: there.instance }));
    await here.met("rejected");
    await kv.put(`${stranger}.terminals`, JSON.stringify({ ...value, instance: stranger }));
    await here.met("rejected", 2);
    expect(here.refused).toEqual({ value: 1, row: 1 });
    expect(JSON.stringify(subscriber.frames)).not.toContain("forged");
  });

  it("P13: keeps rows that say to be out of date while the bus is gone, gets its host's own, and all heals", async () => {
    const { server, here, there, subscriber } = await several(2);
    await server.kill();
    await subscriber.until(() => errorOf(subscriber, there) === "engine_unreachable");
    expect(subscriber.ids(there)).toEqual(["pty:a"]);
    here.state("a", "b");
    await subscriber.until(() => subscriber.ids(here)?.length === 2);
    await server.restart();
    await subscriber.until(() => errorOf(subscriber, there) === undefined);
    there.state("c");
    await subscriber.until(() => subscriber.ids(there)?.[0] === "pty:c");
    expect(JSON.stringify(subscriber.of(there))).not.toContain("instance_lost");
  });

  it("P14: holds the same after a frame that comes twice", async () => {
    const { there, subscriber } = await several(2);
    await retitle(there, 5);
    there.state();
    await subscriber.until(() => subscriber.ids(there)?.length === 0);
    let state: FoldState<TerminalInfo> = new Map();
    for (const frame of subscriber.of(there)) {
      state = fold("terminals", state, frame).state;
      const again = fold("terminals", state, frame).state;
      expect(again.get(there.instance)?.rows).toEqual(state.get(there.instance)?.rows);
    }
  });

  it("P15: gets fields of another instance's rows that its own does not know", async () => {
    const { there, subscriber } = await several(2);
    const later = { ...there.row("b"), later: { and: ["more"] } };
    there.state(later);
    await subscriber.until(() => subscriber.ids(there)?.[0] === "pty:b");
    expect(subscriber.rows(there)).toEqual([later]);
  });

  it("P16: gets another instance's rows in frames that are not too long, however many there are", async () => {
    const { there, subscriber } = await several(2);
    const cwd = `/${"x".repeat(4_000)}`;
    const rows = Array.from({ length: 600 }, (_, index) => there.row(`${index}`, { cwd }));
    there.state(...rows);
    await subscriber.until(() => subscriber.ids(there)?.length === rows.length);
    const frames = subscriber.of(there);
    expect(frames.filter(({ more }) => more === true).length).toBeGreaterThanOrEqual(2);
    for (const frame of frames)
      expect(Buffer.byteLength(JSON.stringify(frame))).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  });
});

describe.concurrent("a reader of a publisher that is one of two", () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start(2);
    // Each row is about as long as one may be.
    for (let count = 0; count < 20; count += 1)
      await world.publisher(0).terminals.add("x".repeat(3_900));
    return () => world.end();
  }, 60_000);

  it("P9: that takes nothing is closed, costs the others nothing, and comes back by a snapshot", async () => {
    const steady = world.read(0, "steady");
    const slow = world.read(0, "slow");
    const { id, terminals } = world.publisher(1);
    const isStated = () => slow.frames.some(({ frame }) => frame.instance === id);
    await until(isStated);
    slow.stall();
    let changes = 0;
    const codes = () =>
      slow.history.records.flatMap((one) => (one.kind === "disconnected" ? [one.code] : []));
    while (codes().length === 0) {
      for (let count = 0; count < 20; count += 1) {
        slow.ask("terminals");
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      const told = steady.frames.length;
      await terminals.change(0);
      changes += 1;
      const newest = terminals.open[0]?.versions.at(-1)?.value;
      await until(() => JSON.stringify(steady.frames.slice(told)).includes(`"${newest}"`));
    }
    expect(changes).toBeGreaterThan(1);
    const isBack = () => {
      const { records } = slow.history;
      const end = records.findIndex(({ kind }) => kind === "disconnected");
      return records
        .slice(end)
        .some((one) => one.kind === "frame" && one.frame.instance === id && one.frame.snapshot);
    };
    await until(isBack);
    // It may not get as far as the word that it is closed with.
    expect([[4_408], [1_006]]).toContainEqual(codes());
    expect(steady.history.records.map(({ kind }) => kind)).not.toContain("disconnected");
  }, 60_000);

  it("P11: is told of each instance that it was read again, though nothing changed", async () => {
    const reader = world.read(1, "steady");
    const isMarked = (instance: string) =>
      reader.frames.some(
        ({ frame: { data, ...frame } }) =>
          frame.topic === "terminals" &&
          frame.instance === instance &&
          frame.seq === frame.prev_seq &&
          "polled_at" in Object(data),
      );
    for (const { id } of world.publishers) await until(() => isMarked(id));
  }, 60_000);
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function foldAll(frames: readonly TopicFrame[]): FoldState<TerminalInfo> {
  let state: FoldState<TerminalInfo> = new Map();
  for (const frame of frames) state = fold("terminals", state, frame).state;
  return state;
}
