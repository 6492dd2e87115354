import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { size, stream } from "./streams.ts";
import { bytesOf, modelOf, modelState, type Size, Viewer } from "./support.ts";

const RUNS = Number(process.env.RUNS ?? 300);

/** What a fresh viewer shows that is given the snapshot alone. */
async function shown(output: Uint8Array, at: Size, history: number) {
  const model = modelOf(at);
  model.feed(output, false);
  const viewer = new Viewer(at);
  await viewer.write(model.snapshot(history).bytes);
  return { model, viewer };
}

describe("a snapshot", () => {
  test("makes a fresh terminal the same, cell by cell, whatever was written", async () => {
    await fc.assert(
      fc.asyncProperty(stream, size, async (output, at) => {
        const { model, viewer } = await shown(bytesOf(output), at, 0);
        expect(viewer.state({ history: false })).toEqual(modelState(model, { history: false }));
      }),
      { numRuns: RUNS },
    );
  });
});
