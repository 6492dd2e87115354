import fc from "fast-check";
import type { Edit, Event } from "./model.ts";

const part = fc.integer({ min: 0, max: 2 });
const reader = fc.integer({ min: 0, max: 2 });
const topic = fc.constantFrom("terminals" as const, "agents" as const);

const edit = (large: boolean): fc.Arbitrary<Edit> =>
  fc.record({
    handle: fc.integer({ min: 1, max: 7 }),
    what: fc.constantFrom("set", "set", "set", "remove", "restate"),
    text: fc.integer({ min: 0, max: 9 }),
    large: large ? fc.boolean() : fc.constant(false),
  });

/** Anything that can happen to a publisher and three readers. */
const event = (large: boolean): fc.Arbitrary<Event> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant("edit" as const),
        part,
        edits: fc.uniqueArray(edit(large), {
          minLength: 1,
          maxLength: 7,
          selector: ({ handle }) => handle,
        }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constantFrom("fail", "read", "bookmark", "bookmark"), part }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("reset", "forget"), part }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("pass" as const),
        ms: fc.constantFrom(1, 5, 10, 50, 100, 150, 1_000, 11_000),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constantFrom("stall", "stall", "flow"), reader }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("take" as const),
        reader,
        bytes: fc.constantFrom(1, 500, 300_000, 1_000_000, 3_000_000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("end" as const), reader }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("open" as const), reader, topic }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("close" as const), reader, topic }) },
  );

/** A history, in which somebody reads from the start. One in five has rows so large that frames are
 * split and connections are held. */
export function histories(maxLength: number): fc.Arbitrary<Event[]> {
  const events = (large: boolean) =>
    fc.array(event(large), { minLength: 1, maxLength, size: "max" });
  return fc
    .oneof({ weight: 4, arbitrary: events(false) }, { weight: 1, arbitrary: events(true) })
    .map((history) => [{ kind: "open", reader: 0, topic: "terminals" } as const, ...history]);
}
