import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { size, stream } from "./streams.ts";
import { bytesOf, type Model, modelOf, modelState, type Size, Viewer } from "./support.ts";

const RUNS = Number(process.env.RUNS ?? 200);
/** Where a screen was left that only a written blank can leave, the copy has that in place of an erased cell; and xterm.js loses links of
 * rows that are scrolled. */
const LOOSE = { history: false, isLoose: true };
/** A screen of one row forgets which of its lines went on: nothing leads back to the row before. */
const several = size.map(({ cols, rows }) => ({ cols, rows: Math.max(2, rows) }));

/** A model that was fed the output in slices, and a fresh viewer that has its snapshot and nothing else. */
async function shown(output: Uint8Array, at: Size, history: number) {
  const model = modelOf(at);
  feed(model, output);
  const viewer = new Viewer(at);
  await viewer.write(model.snapshot(history).bytes);
  return { model, viewer };
}

const feed = (model: Model, output: Uint8Array) => model.feed(output, false);

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

  test("with its history makes a fresh terminal the same, lines above the screen too", async () => {
    await fc.assert(
      fc.asyncProperty(stream, several, async (output, at) => {
        const { model, viewer } = await shown(bytesOf(output), at, 1000);
        expect(viewer.state({ history: true })).toEqual(modelState(model, { history: true }));
      }),
      { numRuns: RUNS },
    );
  });

  test("is as good after changes of size", async () => {
    const part = fc.record({ output: stream, to: several });
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 4 }),
        stream,
        several,
        async (parts, last, at) => {
          const model = modelOf(at);
          let now = at;
          for (const { output, to } of parts) {
            feed(model, bytesOf(output));
            model.resize(to.cols, to.rows);
            now = to;
          }
          feed(model, bytesOf(last));
          const viewer = new Viewer(now);
          await viewer.write(model.snapshot(1000).bytes);
          expect(viewer.state({ history: true })).toEqual(modelState(model, { history: true }));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("makes a terminal the same that showed anything else before", async () => {
    await fc.assert(
      fc.asyncProperty(stream, stream, size, async (before, output, at) => {
        const model = modelOf(at);
        feed(model, bytesOf(output));
        const viewer = new Viewer(at);
        await viewer.write(bytesOf(before));
        await viewer.write(model.snapshot(0).bytes);
        expect(viewer.state({ history: false })).toEqual(modelState(model, { history: false }));
      }),
      { numRuns: RUNS },
    );
  });

  test("is gone on from by the output after it, wherever it was cut", async () => {
    await fc.assert(
      fc.asyncProperty(stream, stream, size, fc.nat(), async (first, second, at, cut) => {
        const output = bytesOf(first + second);
        const place = cut % (output.length + 1);
        const { model, viewer } = await shown(output.subarray(0, place), at, 0);
        feed(model, output.subarray(place));
        await viewer.write(output.subarray(place));
        expect(viewer.state(LOOSE)).toEqual(modelState(model, LOOSE));
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a screen", () => {
  test("shows what xterm.js shows that had all of the output", async () => {
    await fc.assert(
      fc.asyncProperty(stream, size, async (output, at) => {
        const model = modelOf(at);
        feed(model, bytesOf(output));
        const viewer = new Viewer(at);
        await viewer.write(bytesOf(output));
        expect(modelState(model, { ...LOOSE, history: true })).toEqual(
          viewer.state({ ...LOOSE, history: true }),
        );
      }),
      { numRuns: RUNS },
    );
  });

  test("that was frozen is what it was", () => {
    fc.assert(
      fc.property(stream, stream, several, (first, second, at) => {
        const model = modelOf(at);
        const frozen = modelOf(at);
        for (const output of [bytesOf(first), bytesOf(second)]) {
          feed(model, output);
          feed(frozen, output);
          frozen.freeze();
        }
        expect(modelState(frozen, { ...LOOSE, history: true })).toEqual(
          modelState(model, { ...LOOSE, history: true }),
        );
      }),
      { numRuns: RUNS },
    );
  });
});
