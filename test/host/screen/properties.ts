import fc from "fast-check";
import { expect } from "vitest";
import { size, stream } from "./streams.ts";
import { bytesOf, type Model, modelOf, modelState, type Size, Viewer } from "./support.ts";

/** Where a screen was left that only a written blank can leave, the copy has that in place of an erased cell; and
 * xterm.js loses links of rows that are scrolled. */
const LOOSE = { history: false, isLoose: true };
/** A screen of one row forgets which of its lines went on: nothing leads back to the row before. */
const several = size.map(({ cols, rows }) => ({ cols, rows: Math.max(2, rows) }));

/** Without autowrap a wide character can lose its second half and be left with the first, which the copy has as a blank:
 * what is written over it later finds another cell. */
const wraps = stream.filter((output) => !output.includes("\x1b[?7l"));

const feed = (model: Model, output: Uint8Array) => model.feed(output, false);

/** A model that was fed the output, and a fresh viewer that has its snapshot and nothing else. */
async function shown(output: Uint8Array, at: Size, history: number) {
  const model = modelOf(at);
  feed(model, output);
  const viewer = new Viewer(at);
  await viewer.write(model.snapshot(history).bytes);
  return { model, viewer };
}

/** How often what is checked is drawn. */
interface Bound {
  readonly numRuns: number;
  readonly interruptAfterTimeLimit?: number;
  readonly markInterruptAsFailure?: boolean;
}

/** What holds of screens, whatever programs write. */
export const PROPERTIES: readonly [title: string, check: (bound: Bound) => Promise<void>][] = [
  [
    "a snapshot makes a fresh terminal the same, cell by cell",
    (bound) =>
      fc.assert(
        fc.asyncProperty(stream, size, async (output, at) => {
          const { model, viewer } = await shown(bytesOf(output), at, 0);
          expect(viewer.state({ history: false })).toEqual(modelState(model, { history: false }));
        }),
        bound,
      ),
  ],
  [
    "a snapshot with history makes a fresh terminal the same, lines above the screen too",
    (bound) =>
      fc.assert(
        fc.asyncProperty(stream, several, async (output, at) => {
          const { model, viewer } = await shown(bytesOf(output), at, 1000);
          expect(viewer.state({ history: true })).toEqual(modelState(model, { history: true }));
        }),
        bound,
      ),
  ],
  [
    "a snapshot is as good after changes of size",
    (bound) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ output: stream, to: several }), { maxLength: 4 }),
          stream,
          several,
          async (parts, last, at) => {
            const model = modelOf(at);
            for (const { output, to } of parts) {
              feed(model, bytesOf(output));
              model.resize(to.cols, to.rows);
            }
            feed(model, bytesOf(last));
            const viewer = new Viewer(parts.at(-1)?.to ?? at);
            await viewer.write(model.snapshot(1000).bytes);
            expect(viewer.state({ history: true })).toEqual(modelState(model, { history: true }));
          },
        ),
        bound,
      ),
  ],
  [
    "a snapshot makes a terminal the same that showed anything else before",
    (bound) =>
      fc.assert(
        fc.asyncProperty(stream, stream, size, async (before, output, at) => {
          const model = modelOf(at);
          feed(model, bytesOf(output));
          const viewer = new Viewer(at);
          await viewer.write(bytesOf(before));
          await viewer.write(model.snapshot(0).bytes);
          expect(viewer.state({ history: false })).toEqual(modelState(model, { history: false }));
        }),
        bound,
      ),
  ],
  [
    "a snapshot is gone on from by the output after it, wherever it was cut",
    (bound) =>
      fc.assert(
        fc.asyncProperty(wraps, wraps, size, fc.nat(), async (first, second, at, cut) => {
          const output = bytesOf(first + second);
          const place = cut % (output.length + 1);
          const { model, viewer } = await shown(output.subarray(0, place), at, 0);
          feed(model, output.subarray(place));
          await viewer.write(output.subarray(place));
          expect(viewer.state(LOOSE)).toEqual(modelState(model, LOOSE));
        }),
        bound,
      ),
  ],
  [
    "a screen shows what xterm.js shows that had all of the output",
    (bound) =>
      fc.assert(
        fc.asyncProperty(stream, size, async (output, at) => {
          const what = { ...LOOSE, history: true };
          const model = modelOf(at);
          feed(model, bytesOf(output));
          const viewer = new Viewer(at);
          await viewer.write(bytesOf(output));
          expect(modelState(model, what)).toEqual(viewer.state(what));
        }),
        bound,
      ),
  ],
  [
    "a screen that was frozen is what it was",
    (bound) =>
      fc.assert(
        fc.asyncProperty(wraps, wraps, several, async (first, second, at) => {
          const what = { ...LOOSE, history: true };
          const [model, frozen] = [modelOf(at), modelOf(at)];
          for (const output of [bytesOf(first), bytesOf(second)]) {
            feed(model, output);
            feed(frozen, output);
            frozen.freeze();
          }
          expect(modelState(frozen, what)).toEqual(modelState(model, what));
        }),
        bound,
      ),
  ],
];
