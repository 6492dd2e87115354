import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFrame, FrameReader } from "../../../src/host/supervisor/frames.ts";
import { MAXIMUM_FRAME_BYTES, ProtocolError } from "../../../src/host/supervisor/index.ts";
import { wholeCharacters } from "../../../src/host/supervisor/whole-characters.ts";
import { serveSupervisor } from "./served-supervisor.ts";

/** As JSON; whole numbers from 2^53 on are bigints. */
const asNumbers = (read: unknown) =>
  JSON.stringify(read, (_, value) => (typeof value === "bigint" ? Number(value) : value));

const textOf = (length: number) => "x".repeat(length - 2);

test("a frame of the most bytes is written and read, and one of a byte more is neither", () => {
  const frame = encodeFrame(textOf(MAXIMUM_FRAME_BYTES));
  expect(frame.readUInt32BE(0)).toBe(MAXIMUM_FRAME_BYTES);
  expect([...new FrameReader().push(frame)]).toEqual([textOf(MAXIMUM_FRAME_BYTES)]);
  expect(() => encodeFrame(textOf(MAXIMUM_FRAME_BYTES + 1))).toThrow(ProtocolError);
});

test("what is no JSON is not written", () => {
  expect(() => encodeFrame(undefined)).toThrow(expect.objectContaining({ kind: "encode" }));
  expect(() => encodeFrame(1n)).toThrow(expect.objectContaining({ kind: "encode" }));
});

test("messages are read as they were written, however their frames are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat({ max: 64 })), (messages, cuts) => {
      const bytes = Buffer.concat(messages.map((message) => encodeFrame(message)));
      const reader = new FrameReader();
      const read: unknown[] = [];
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        for (const frame of reader.push(bytes.subarray(at, at + cut))) read.push(frame);
        at += cut;
      }
      expect(asNumbers(read)).toBe(JSON.stringify(messages));
    }),
  );
});

test("a frame that comes byte by byte costs no more than its bytes", () => {
  const bytes = encodeFrame(textOf(200_000));
  const reader = new FrameReader();
  const read: unknown[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    for (const frame of reader.push(bytes.subarray(at, at + 1))) read.push(frame);
  }
  expect(read).toEqual([textOf(200_000)]);
});

test("whatever bytes come, the reader reads on or throws a ProtocolError ever after", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (chunks) => {
      const reader = new FrameReader({ maxParts: 100 });
      let hasThrown = false;
      for (const chunk of chunks) {
        try {
          for (const _ of reader.push(chunk)) expect(hasThrown).toBe(false);
          expect(hasThrown).toBe(false);
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
          hasThrown = true;
        }
      }
    }),
  );
});

test("text that is cut before each byte is whole again in what was not held back and the rest", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, cut) => {
      const bytes = Buffer.from(text.toWellFormed());
      const at = bytes.length === 0 ? 0 : cut % (bytes.length + 1);
      const whole = wholeCharacters(bytes.subarray(0, at));
      expect(at - whole).toBeLessThan(4);
      const parts = [bytes.subarray(0, whole), bytes.subarray(whole)];
      expect(parts.map((part) => part.toString("utf8")).join("")).toBe(bytes.toString("utf8"));
    }),
  );
});

test("bytes that begin no character are not held back", () => {
  for (const hex of ["80", "c0", "e080", "eda0", "f08080", "f5", "ff", "61"]) {
    const bytes = Buffer.from(hex, "hex");
    expect(wholeCharacters(bytes), hex).toBe(bytes.length);
  }
});

test("whatever a client sends ends its own connection at most", async () => {
  const served = await serveSupervisor();
  const other = served.connect();
  await other.ask({ kind: "ping" });
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
    fc.jsonValue().map((value) => encodeFrame(value)),
    fc
      .record({
        kind: fc.constantFrom("hello", "ping", "terminal", "cancel"),
        more: fc.jsonValue(),
      })
      .map(({ kind, more }) =>
        encodeFrame({ kind, hello: more, request_id: more, operation: more }),
      ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 5 }), async (all) => {
      const client = served.connect();
      for (const one of all) client.socket.write(one);
      client.socket.end();
      await client.closed;
      expect(await other.ask({ kind: "ping" })).toEqual({ kind: "pong" });
    }),
    { numRuns: 60 },
  );
});
