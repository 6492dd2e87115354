import { expect, test } from "vitest";
import { ProtocolError } from "../../../src/host/supervisor/errors.ts";
import { FrameReader } from "../../../src/host/supervisor/frames.ts";
import * as messages from "../../../src/host/supervisor/messages.ts";
import { readJson, testSchemas } from "../dialect-schemas.ts";

testSchemas("supervisor", messages, "snake_case");

interface FrameCase {
  readonly name: string;
  readonly hex: string;
  readonly frames: readonly unknown[];
  readonly error?: string;
}

test.each<FrameCase>(readJson("fixtures/supervisor/frames.json"))(
  "the frames of the case `$name` are read as it states, cut anywhere",
  ({ hex, frames, error }) => {
    const bytes = Buffer.from(hex, "hex");
    for (let at = 0; at <= bytes.length; at += 1) {
      const reader = new FrameReader();
      const read: unknown[] = [];
      let kind: string | undefined;
      try {
        for (const piece of [bytes.subarray(0, at), bytes.subarray(at)]) {
          for (const frame of reader.push(piece)) read.push(frame);
        }
      } catch (failure) {
        kind = failure instanceof ProtocolError ? failure.kind : "other";
      }
      expect(read).toEqual(frames);
      expect(kind).toBe(error);
    }
  },
);
