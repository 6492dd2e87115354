import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { encodeFrame, readFrames } from "../../../src/host/channel/frames.ts";
import { MAX_BACKLOG, MAX_FRAME } from "../../../src/host/channel/limits.ts";
import type { ChannelClient } from "../channel/channel-client.ts";
import { type BuiltHost, buildHost, RealHost } from "./real-host.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const MIB = 1024 * 1024;

/** Somebody with whom nothing is wrong, and whom nobody else may disturb. */
class Bystander {
  readonly #viewer: ChannelClient;
  #count = 0;

  private constructor(viewer: ChannelClient) {
    this.#viewer = viewer;
  }

  static async of(host: RealHost): Promise<Bystander> {
    const viewer = await host.connect();
    await viewer.attach((await viewer.script("bystander", "cat")).id);
    return new Bystander(viewer);
  }

  /** Types a line and sees it twice: by the terminal and by its program. */
  async works(): Promise<void> {
    this.#count += 1;
    const line = `line ${this.#count}.`;
    this.#viewer.type(`${line}\r`);
    await this.#viewer.shows(`${line}\r\n${line}`);
    expect(this.#viewer.isClosed).toBe(false);
  }
}

/** A connection that says what it likes. */
function dial(host: RealHost): { socket: Socket; closed: Promise<void> } {
  const socket = connect(host.place.places.channel);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  return { socket, closed: new Promise((resolve) => socket.once("close", () => resolve())) };
}

const header = (length: number, kind: number) => {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32BE(length);
  bytes[4] = kind;
  return bytes;
};

const list = { type: "list", sessionId: "q" };
const called = (id: number) =>
  encodeFrame({ type: "call", id, call: { op: "list", sessionId: "q" } });

test("of random bytes, half frames and frames cut into single bytes only their connection ends, if any", async () => {
  const host = await RealHost.start(built);
  const bystander = await Bystander.of(host);
  const whole = fc.constantFrom(
    encodeFrame(list),
    encodeFrame(Buffer.from("typed")),
    called(1),
    header(1, 1),
    header(1, 0),
    header(0, 0),
    header(2, 7),
    header(MAX_FRAME, 0),
    header(MAX_FRAME + 1, 0),
    header(0xff_ff_ff_ff, 1),
  );
  const part = fc.tuple(whole, fc.nat(20)).map(([bytes, cut]) => bytes.subarray(0, cut));
  const pieces = fc.array(fc.oneof(fc.uint8Array({ maxLength: 200 }), whole, part), {
    minLength: 1,
    maxLength: 6,
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), async (all, isSingle) => {
      const { socket, closed } = dial(host);
      socket.resume();
      for (const bytes of all) {
        const step = isSingle ? 1 : bytes.length || 1;
        for (let at = 0; at < bytes.length; at += step) socket.write(bytes.subarray(at, at + step));
      }
      socket.end();
      await closed;
      runs += 1;
      if (runs % 20 === 0) await bystander.works();
    }),
    { numRuns: 100 },
  );
  await bystander.works();
}, 60_000);

describe("a connection ends at", () => {
  test.each([
    ["a length of none", header(0, 0)],
    ["a length beyond the limit", header(MAX_FRAME + 1, 1)],
    ["the largest length there is", header(0xff_ff_ff_ff, 0)],
    ["another kind", Buffer.concat([header(2, 2), Buffer.from("x")])],
    ["another kind in a frame of the largest size", header(MAX_FRAME, 255)],
    ["what is no JSON", Buffer.concat([header(3, 0), Buffer.from("{]")])],
    ["JSON of nothing", header(1, 0)],
  ])("%s, and no other does", async (what, bytes) => {
    const host = await RealHost.start(built);
    const bystander = await Bystander.of(host);
    const { socket, closed } = dial(host);
    socket.resume();
    socket.write(encodeFrame(list));
    socket.write(bytes);
    if (what.includes("largest size")) socket.write(Buffer.alloc(MAX_FRAME - 1));
    await closed;
    await bystander.works();
  });
});

test("frames of the largest size in any number hold no memory, whoever leaves them half", async () => {
  const host = await RealHost.start(built, { NODE_OPTIONS: "--max-semi-space-size=2" });
  const bystander = await Bystander.of(host);
  const before = host.peak;
  const half = Buffer.alloc(MIB, 0x20);
  // One that is whole, and is passed over for its size.
  const first = await host.connect();
  first.socket.write(header(MAX_FRAME, 0));
  for (let sent = 0; sent < MAX_FRAME - 1; sent += MIB) {
    first.socket.write(half.subarray(0, Math.min(MIB, MAX_FRAME - 1 - sent)));
  }
  expect((await first.next("error")).message).toContain("at most");
  // Twenty that are claimed and never come whole.
  const open = Array.from({ length: 20 }, () => dial(host));
  for (const { socket } of open) {
    socket.resume();
    socket.write(header(MAX_FRAME, 0));
    socket.write(half);
  }
  await bystander.works();
  expect(host.peak - before).toBeLessThan(64 * MIB);
  for (const { socket, closed } of open) {
    socket.destroy();
    await closed;
  }
  await bystander.works();
}, 60_000);

test("of ten thousand requests whose answers nobody reads few are held, and then their connection ends", async () => {
  const host = await RealHost.start(built, { NODE_OPTIONS: "--max-semi-space-size=2" });
  const bystander = await Bystander.of(host);
  const other = await host.connect();
  await other.script("q", "seq 1 30000; read end");
  const wait = { until: "match", pattern: "^30000$", timeoutMs: 20_000 } as const;
  await other.read({ sessionId: "q", target: "1", wait });
  const before = host.peak;

  // Ten thousand small answers are held or read no faster than they are taken.
  const small = dial(host);
  for (let id = 0; id < 10_000; id += 1) small.socket.write(called(id));
  await bystander.works();

  // Of large ones there is no end that anybody could hold.
  const large = dial(host);
  for (let id = 0; id < 10_000; id += 1) {
    const call = { op: "read", sessionId: "q", target: "1", from: 0 } as const;
    large.socket.write(encodeFrame({ type: "call", id, call }));
  }
  await large.closed;
  await bystander.works();
  expect(host.peak - before).toBeLessThan(64 * MIB + MAX_BACKLOG);

  // The first is answered once it reads.
  let answers = 0;
  await new Promise<void>((resolve) => {
    readFrames(small.socket, (frame) => {
      if ((frame as { readonly type?: string }).type === "reply") answers += 1;
      if (answers === 10_000) resolve();
    });
    void small.closed.then(resolve);
  });
  expect(answers).toBe(10_000);
}, 60_000);

test("one connection more than a host takes is told so, and there is room again once another has gone", async () => {
  const host = await RealHost.start(built);
  const bystander = await Bystander.of(host);
  const others = await Promise.all(Array.from({ length: 127 }, () => host.connect()));
  const firstOf = async () => {
    const { socket, closed } = dial(host);
    return new Promise<unknown>((resolve) => {
      readFrames(socket, resolve);
      void closed.then(() => resolve(undefined));
    });
  };
  expect(await firstOf()).toMatchObject({
    type: "error",
    message: expect.stringContaining("try again when one has ended"),
  });
  await bystander.works();
  others[0]?.socket.destroy();
  // The host may hear of it later than we do: then it refuses once more.
  let first: unknown;
  do first = await firstOf();
  while ((first as { readonly type?: string } | undefined)?.type !== "hello");
});
