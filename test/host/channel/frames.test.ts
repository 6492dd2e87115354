import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  CorruptFrame,
  encodeFrame,
  FrameReader,
  readFrames,
  UnreadFrame,
} from "../../../src/host/channel/frames.ts";
import { MAX_FRAME } from "../../../src/host/channel/limits.ts";

/** The frames that a stream gives, and what ended it. */
function read(
  chunks: readonly Uint8Array[],
  reader = new FrameReader(),
): { frames: unknown[]; fault?: string } {
  const frames: unknown[] = [];
  try {
    for (const chunk of chunks) for (const frame of reader.push(chunk)) frames.push(frame);
  } catch (error) {
    if (!(error instanceof CorruptFrame)) throw error;
    return { frames, fault: error.message };
  }
  return { frames };
}

/** The bytes cut at the lengths, which begin anew where they run out. */
function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

const header = (length: number, ...rest: number[]) => {
  const bytes = Buffer.alloc(4 + rest.length);
  bytes.writeUInt32BE(length);
  bytes.set(rest, 4);
  return bytes;
};

describe("a frame", () => {
  test("of JSON has the length of kind and body, the kind 0 and the text", () => {
    expect([...encodeFrame({ a: "é" })]).toEqual([0, 0, 0, 11, 0, ...Buffer.from('{"a":"é"}')]);
  });

  test("of bytes has the kind 1 and the bytes as they are", () => {
    expect([...encodeFrame(new Uint8Array([0, 255]))]).toEqual([0, 0, 0, 3, 1, 0, 255]);
    expect([...encodeFrame(new Uint8Array())]).toEqual([0, 0, 0, 1, 1]);
  });

  test("is as long as it may be and no longer", () => {
    expect(encodeFrame(new Uint8Array(MAX_FRAME - 1))).toHaveLength(MAX_FRAME + 4);
    expect(() => encodeFrame(new Uint8Array(MAX_FRAME))).toThrow(
      "a frame must be at most 16777216 bytes long, got 16777217",
    );
  });
});

describe("the reader", () => {
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value))),
  );
  const lengths = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1 });

  test("gives back what was encoded, wherever the stream is cut", () => {
    fc.assert(
      fc.property(fc.array(message), lengths, (messages, cuts) => {
        const stream = Buffer.concat(messages.map(encodeFrame));
        expect(read(cut(stream, cuts))).toEqual({ frames: messages });
        expect(read(cut(stream, [1]))).toEqual({ frames: messages });
      }),
    );
  });

  test("gives bytes in pieces that make up the same, to whoever asks for that", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), lengths, (bodies, cuts) => {
        const stream = Buffer.concat(bodies.map(encodeFrame));
        const { frames, fault } = read(cut(stream, cuts), new FrameReader({ pieces: true }));
        expect(fault).toBeUndefined();
        expect(Buffer.concat(frames as Uint8Array[])).toEqual(Buffer.concat(bodies));
      }),
    );
  });

  test("ends at the same frame wherever a stream of anything is cut", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), lengths, (stream, cuts) => {
        expect(read(cut(stream, cuts))).toEqual(read([stream]));
      }),
    );
  });

  test.each([
    [0, "a frame's length must be from 1 to 16777216, got 0"],
    [MAX_FRAME + 1, "a frame's length must be from 1 to 16777216, got 16777217"],
    [0xffffffff, "a frame's length must be from 1 to 16777216, got 4294967295"],
  ])("refuses the length %i as soon as it is there", (length, fault) => {
    const good = encodeFrame({ good: true });
    expect(read([Buffer.concat([good, header(length)])])).toEqual({
      frames: [{ good: true }],
      fault,
    });
    expect(read(cut(header(length), [1]))).toEqual({ frames: [], fault });
    expect(read([header(length).subarray(0, 3)])).toEqual({ frames: [] });
  });

  test("refuses another kind when its frame is there, and not before", () => {
    const fault = "a frame's kind must be 0 or 1, got 2";
    expect(read([header(3, 2, 7)])).toEqual({ frames: [] });
    expect(read([header(3, 2, 7, 7)])).toEqual({ frames: [], fault });
    expect(read([header(3, 2, 7, 7)], new FrameReader({ pieces: true }))).toEqual({
      frames: [],
      fault,
    });
    expect(read([header(1, 2)])).toEqual({ frames: [], fault });
  });

  test("refuses what is no JSON, the empty text too, and is of no use afterwards", () => {
    const reader = new FrameReader();
    const fault = "a frame of kind 0 must be JSON, got 0 bytes that are not";
    expect(read([header(1, 0), encodeFrame({})], reader)).toEqual({ frames: [], fault });
    expect(read([encodeFrame({})], reader)).toEqual({ frames: [], fault });
    expect(read([header(2, 0, 0x7b)]).fault).toMatch(/got 1 bytes that are not$/);
  });

  test("takes any JSON: what it means is not for a reader of frames", () => {
    for (const body of ["null", "7", '"x"', "[]", '{"__proto__":1}']) {
      const frame = Buffer.concat([header(1 + body.length, 0), Buffer.from(body)]);
      expect(read(cut(frame, [3]))).toEqual({ frames: [JSON.parse(body)] });
    }
    const deep = Buffer.from("[".repeat(1_000_000) + "]".repeat(1_000_000));
    const { frames } = read([Buffer.concat([header(1 + deep.length, 0), deep])]);
    expect(frames).toHaveLength(1);
  });

  test("copies no body that comes in one chunk, and hands none out twice", () => {
    const chunk = Buffer.concat([encodeFrame(Buffer.from("first")), encodeFrame(Buffer.from("2"))]);
    const [first, second] = read([chunk]).frames as [Uint8Array, Uint8Array];
    expect(first.buffer).toBe(chunk.buffer);
    expect(Buffer.from(first).toString() + Buffer.from(second).toString()).toBe("first2");
    const split = read([...cut(chunk, [7]), ...cut(chunk, [7])]).frames as Uint8Array[];
    expect(split.map((body) => Buffer.from(body).toString())).toEqual(["first", "2", "first", "2"]);
  });

  test("reads the largest frame from small chunks in a time that grows with its size alone", () => {
    const body = new Uint8Array(MAX_FRAME - 1).fill(7);
    const stream = encodeFrame(body);
    const began = performance.now();
    const { frames } = read(cut(stream, [1_000]));
    // Joining at every chunk would copy 140 GB.
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(Buffer.compare(frames[0] as Uint8Array, body)).toBe(0);
  });

  test("holds no more for a frame than has come of it", () => {
    const reader = new FrameReader();
    const before = process.memoryUsage().arrayBuffers;
    const readers = Array.from({ length: 64 }, () => new FrameReader());
    for (const one of [reader, ...readers]) read([header(MAX_FRAME, 1, 1, 2, 3)], one);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  });

  test("passes over JSON that is larger than asked for, and goes on behind it", () => {
    const limits = { maxJsonBytes: 100, pieces: true };
    const large = { text: "x".repeat(200) };
    const stream = Buffer.concat([large, Buffer.from("in between"), { small: 1 }].map(encodeFrame));
    for (const cuts of [[1], [50], [1_000]]) {
      const { frames } = read(cut(stream, cuts), new FrameReader(limits));
      expect(frames[0]).toEqual(new UnreadFrame(211));
      expect(Buffer.concat(frames.slice(1, -1) as Uint8Array[]).toString()).toBe("in between");
      expect(frames.at(-1)).toEqual({ small: 1 });
    }
  });

  test("passes over JSON of more values than asked for, and counts none within strings", () => {
    const reader = () => new FrameReader({ maxJsonParts: 1_000 });
    const lists = { lists: Array.from({ length: 20_000 }, () => []) };
    expect(read([encodeFrame(lists)], reader()).frames).toEqual([expect.any(UnreadFrame)]);
    const text = { text: '[{,\\"'.repeat(20_000) };
    expect(read([encodeFrame(text)], reader()).frames).toEqual([text]);
  });
});

describe("reading a socket", () => {
  /** A socket that is read as the dialect says, and the one at its other end. */
  async function pair(): Promise<{ near: Socket; far: Socket; frames: unknown[] }> {
    const folder = mkdtempSync(join(tmpdir(), "termtopic-frames-"));
    const server = createServer().listen(join(folder, "s"));
    onTestFinished(() => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await once(server, "listening");
    const far = connect(join(folder, "s"));
    const [near] = (await once(server, "connection")) as [Socket];
    onTestFinished(() => {
      near.destroy();
      far.destroy();
    });
    const frames: unknown[] = [];
    readFrames(near, (frame) => frames.push(frame));
    return { near, far, frames };
  }

  test("gives every frame before the end", async () => {
    const { near, far, frames } = await pair();
    for (const byte of encodeFrame({ type: "list", sessionId: "s" })) far.write(Buffer.of(byte));
    far.end(encodeFrame(Buffer.from("keys")));
    await once(near, "end");
    expect(frames).toEqual([{ type: "list", sessionId: "s" }, new Uint8Array(Buffer.from("keys"))]);
  });

  test("destroys the socket at a corrupt frame, with the reason, after the good ones", async () => {
    const { near, far, frames } = await pair();
    const failed = once(near, "error");
    far.write(Buffer.concat([encodeFrame({ good: 1 }), header(0)]));
    expect((await failed)[0]).toBeInstanceOf(CorruptFrame);
    expect(near.destroyed).toBe(true);
    expect(frames).toEqual([{ good: 1 }]);
  });
});
