import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { schemaName } from "../../scripts/schemas.mjs";
import {
  emptyFold,
  type FoldOutcome,
  type FoldState,
  fold,
  foldedRows,
  type InstanceRows,
  isValid,
  type RowTopic,
  type TerminalInfo,
  type TopicFrame,
  type TopicRow,
} from "../../src/index.ts";
import { type Sequence, schemaOf, sequences } from "./corpus.ts";

const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

function foldAll<Topic extends RowTopic>(topic: Topic, frames: readonly TopicFrame[]) {
  let state: FoldState<TopicRow[Topic]> = emptyFold<Topic>();
  const outcomes: FoldOutcome[] = [];
  for (const frame of frames) {
    const step = fold(topic, state, frame);
    if (step.outcome !== "folded") expect(step.state).toBe(state);
    state = step.state;
    outcomes.push(step.outcome);
  }
  return { state, outcomes };
}

const at = (outcomes: readonly FoldOutcome[], outcome: FoldOutcome) =>
  outcomes.flatMap((each, index) => (each === outcome ? [index] : []));

function standing(held: InstanceRows<unknown> | undefined): object {
  const { epoch, seq, polledAt, sources } = held ?? {};
  // Through JSON, which leaves out what is not known.
  return JSON.parse(JSON.stringify({ epoch, seq, polled_at: polledAt, sources }));
}

describe("the sequence", () => {
  test.each(sequences.map((sequence) => [sequence.name, sequence] as const))(
    "%s folds to its rows",
    (_, { topic, frames, rows, holes, foreign, standing: stated }: Sequence) => {
      const { state, outcomes } = foldAll(topic, frames);
      expect(sorted(foldedRows(state))).toEqual(sorted(rows));
      expect(at(outcomes, "hole")).toEqual(holes ?? []);
      expect(at(outcomes, "foreign")).toEqual(foreign ?? []);
      for (const [instance, known] of Object.entries(stated ?? {})) {
        expect(standing(state.get(instance))).toEqual(known);
      }
    },
  );

  test.each(sequences.map(({ name, frames }) => [name, frames] as const))(
    "%s is made of frames that fit their schemas",
    (_, frames) => {
      for (const frame of frames) {
        expect(isValid(schemaOf(schemaName(`topic:${frame.topic}`)), frame)).toBe(true);
      }
    },
  );
});

const A = "a".repeat(32);
const B = "b".repeat(32);
const C = "c".repeat(32);

const row = (instance: string, id: string, state = "running"): TerminalInfo => ({
  instance,
  id,
  state,
  command: [],
});
const removal = (instance: string, id: string) => ({ instance, id, removed: true as const });

const terminalsFrame = (
  instance: string,
  terminals: readonly unknown[],
  rest: Partial<TopicFrame> = {},
): TopicFrame => ({ ev: "topic", topic: "terminals", instance, data: { terminals }, ...rest });

/** One thing that happens at a publisher: a row is stated, a row goes, or it states all anew. */
type Happening =
  | { readonly kind: "set"; readonly instance: string; readonly id: string; readonly state: string }
  | { readonly kind: "remove"; readonly instance: string; readonly id: string }
  | { readonly kind: "snapshot"; readonly instance: string }
  | { readonly kind: "restart"; readonly instance: string };

const instance = fc.constantFrom(A, B, C);
const id = fc.constantFrom("tmux:1", "tmux:2", "tmux:3", "pty:x");
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    kind: fc.constant("set" as const),
    instance,
    id,
    state: fc.constantFrom("running", "dead", "removed"),
  }),
  fc.record({ kind: fc.constant("remove" as const), instance, id }),
  fc.record({ kind: fc.constant("snapshot" as const), instance }),
  fc.record({ kind: fc.constant("restart" as const), instance }),
);

/** The simplest publishers there could be, with their chains, and the rows that they have. */
function published(happenings: readonly Happening[]) {
  const rows = new Map<string, Map<string, TerminalInfo>>();
  const position = new Map<string, { epoch: string; seq: number }>();
  let epochs = 0;
  const frames = happenings.map((happened): TopicFrame => {
    const own = rows.get(happened.instance) ?? new Map<string, TerminalInfo>();
    rows.set(happened.instance, own);
    const before = position.get(happened.instance);
    if (happened.kind === "restart") own.clear();
    if (happened.kind === "set") {
      own.set(happened.id, row(happened.instance, happened.id, happened.state));
    }
    if (happened.kind === "remove") own.delete(happened.id);
    if (before === undefined || happened.kind === "restart") {
      epochs += 1;
      const now = { epoch: epochs.toString(16).padStart(16, "0"), seq: 0 };
      position.set(happened.instance, now);
      return terminalsFrame(happened.instance, [...own.values()], { snapshot: true, ...now });
    }
    if (happened.kind === "snapshot") {
      return terminalsFrame(happened.instance, [...own.values()], { snapshot: true, ...before });
    }
    const now = { epoch: before.epoch, seq: before.seq + 1 };
    position.set(happened.instance, now);
    const changed = own.get(happened.id) ?? removal(happened.instance, happened.id);
    return terminalsFrame(happened.instance, [changed], { ...now, prev_seq: before.seq });
  });
  return { frames, rows: [...rows.values()].flatMap((own) => [...own.values()]) };
}

const happenings = fc.array(happening, { maxLength: 40 });

describe("folding", () => {
  test("every frame of every publisher gives their rows", () => {
    fc.assert(
      fc.property(happenings, (happened) => {
        const { frames, rows } = published(happened);
        const { state, outcomes } = foldAll("terminals", frames);
        expect(at(outcomes, "folded")).toHaveLength(frames.length);
        expect(sorted(foldedRows(state))).toEqual(sorted(rows));
      }),
    );
  });

  test("never gives wrong rows for want of a frame: it says hole until the next snapshot", () => {
    fc.assert(
      fc.property(happenings, fc.nat(), (happened, lost) => {
        const { frames } = published(happened);
        const missing = frames[lost % Math.max(frames.length, 1)];
        let state: FoldState<TerminalInfo> = emptyFold<"terminals">();
        let whole: FoldState<TerminalInfo> = emptyFold<"terminals">();
        for (const frame of frames) {
          whole = fold("terminals", whole, frame).state;
          if (frame === missing) continue;
          const step = fold("terminals", state, frame);
          state = step.state;
          if (step.outcome === "hole") continue;
          expect(state.get(frame.instance)).toEqual(whole.get(frame.instance));
        }
      }),
    );
  });

  test("leaves the given state as it was", () => {
    fc.assert(
      fc.property(happenings, (happened) => {
        let state: FoldState<TerminalInfo> = emptyFold<"terminals">();
        for (const frame of published(happened).frames) {
          const before = structuredClone(state);
          const next = fold("terminals", state, frame).state;
          expect(state).toEqual(before);
          state = next;
        }
      }),
      { numRuns: 50 },
    );
  });

  test("shares what a frame does not touch: other instances' rows are the same objects", () => {
    fc.assert(
      fc.property(happenings, (happened) => {
        let state: FoldState<TerminalInfo> = emptyFold<"terminals">();
        for (const frame of published(happened).frames) {
          const next = fold("terminals", state, frame).state;
          for (const [other, held] of state) {
            if (other !== frame.instance) expect(next.get(other)).toBe(held);
          }
          state = next;
        }
      }),
      { numRuns: 50 },
    );
  });

  test("gives the same for every order in which independent instances are heard", () => {
    fc.assert(
      fc.property(happenings, (happened) => {
        const { frames } = published(happened);
        const oneAfterTheOther = [A, B, C].flatMap((instance) =>
          frames.filter((frame) => frame.instance === instance),
        );
        const interleaved = foldAll("terminals", frames).state;
        expect(foldAll("terminals", oneAfterTheOther).state).toEqual(interleaved);
      }),
    );
  });

  test("gives the same for a snapshot in one piece and in parts of any size", () => {
    const rows = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 12 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 5 }), (numbers, size) => {
        const all = numbers.map((number) => row(A, `tmux:${number}`));
        const chain = { epoch: "0".repeat(16), seq: 7 };
        const parts: TopicFrame[] = [];
        for (let start = 0; start === 0 || start < all.length; start += size) {
          const more = start + size < all.length ? { more: true as const } : {};
          const place = start === 0 ? { snapshot: true as const } : { prev_seq: 7 };
          parts.push(
            terminalsFrame(A, all.slice(start, start + size), { ...chain, ...place, ...more }),
          );
        }
        const whole = terminalsFrame(A, all, { snapshot: true, ...chain });
        expect(foldAll("terminals", parts).state).toEqual(foldAll("terminals", [whole]).state);
      }),
    );
  });

  test("says that the rows are partial between the parts of a split frame, and not after", () => {
    const split = sequences.find(({ name }) => name === "split-snapshot.json");
    const partial = split?.frames.map((_, index) => {
      const { state } = foldAll("terminals", split.frames.slice(0, index + 1));
      return [...state.values()].some((held) => held.partial);
    });
    expect(partial).toEqual([false, true, true, false, false]);
  });

  test("keeps the order in which rows were stated first", () => {
    const { state } = foldAll("terminals", [
      terminalsFrame(A, [row(A, "tmux:1"), row(A, "tmux:2")], { snapshot: true }),
      terminalsFrame(B, [row(B, "tmux:9")], { snapshot: true }),
      terminalsFrame(A, [row(A, "tmux:1", "dead"), row(A, "tmux:3")]),
    ]);
    expect(foldedRows(state).map(({ id }) => id)).toEqual(["tmux:1", "tmux:2", "tmux:3", "tmux:9"]);
  });

  test.each([
    ["no data", undefined],
    ["null", null],
    ["a list where an object belongs", []],
    ["rows of another topic", { agents: [] }],
    ["rows that are no list", { terminals: {} }],
    ["an element that is no object", { terminals: [row(A, "tmux:1"), "tmux:2"] }],
    ["a null element", { terminals: [null] }],
  ])("calls a frame with %s foreign and changes nothing", (_, data) => {
    const { state } = foldAll("terminals", [
      terminalsFrame(A, [row(A, "tmux:0")], { snapshot: true }),
    ]);
    const frame = { ...terminalsFrame(A, [], { snapshot: true }), data };
    expect(fold("terminals", state, frame)).toEqual({ state, outcome: "foreign" });
  });
});
