import { expect, test } from "vitest";
import { CorruptFrame, FrameReader } from "../../../src/host/channel/frames.ts";
import * as messages from "../../../src/host/channel/messages.ts";
import { readJson, testSchemas } from "../dialect-schemas.ts";

testSchemas("channel", messages, "camelCase");

interface FrameCase {
  readonly name: string;
  readonly hex: string;
  readonly frames: readonly ({ readonly json: unknown } | { readonly bytes: string })[];
  readonly corrupt?: true;
}

test.each<FrameCase>(readJson("fixtures/channel/frames.json"))(
  "the frames of the case `$name` are read as it states",
  ({ hex, frames, corrupt = false }) => {
    const read: unknown[] = [];
    let isCorrupt = false;
    try {
      for (const frame of new FrameReader().push(Buffer.from(hex, "hex"))) {
        const isBytes = frame instanceof Uint8Array;
        read.push(isBytes ? { bytes: Buffer.from(frame).toString("hex") } : { json: frame });
      }
    } catch (error) {
      isCorrupt = error instanceof CorruptFrame;
    }
    expect(read).toEqual(frames);
    expect(isCorrupt).toBe(corrupt);
  },
);
