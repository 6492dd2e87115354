import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyFold, fold } from "../../src/contract/fold.ts";
import { histories } from "./events.ts";
import { World } from "./model.ts";
import { frameOf, publication, terminal, terminalsFeed } from "./support.ts";

it("every reader that is up to date holds the rows that are published, whatever happened", async () => {
  await fc.assert(
    fc.asyncProperty(histories(40), async (events) => {
      const world = new World();
      for (const event of events) await world.meet(event);
      await world.finish();
    }),
    // On a machine that is busy with other things, fewer.
    { numRuns: 300, interruptAfterTimeLimit: 6_000 },
  );
});

it("a step that is lost is a hole at the next one", () => {
  const step = fc.record({ id: fc.constantFrom("a", "b", "c"), title: fc.string() });
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 20 }), fc.nat(), (steps, at) => {
      const feed = terminalsFeed(terminal("first"));
      const rows = new Map([["first", terminal("first")]]);
      const lines = [...feed.snapshot()];
      for (const { id, title } of steps) {
        const { position } = feed;
        // The position moves in the title, so that every step is one.
        rows.set(id, terminal(id, { title: `${position} ${title}` }));
        feed.publish(publication(rows.values()));
        lines.push(...(feed.since(position) ?? []));
      }
      const lost = 1 + (at % (lines.length - 2));
      let state = emptyFold<"terminals">();
      const outcomes = lines.map((line, index) => {
        if (index === lost) return "lost";
        const { outcome, state: next } = fold("terminals", state, frameOf(line));
        state = next;
        return outcome;
      });
      expect(outcomes.slice(0, lost).every((outcome) => outcome === "folded")).toBe(true);
      expect(outcomes.slice(lost + 1).every((outcome) => outcome === "hole")).toBe(true);
    }),
  );
});
