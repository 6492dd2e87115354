import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Ended, Ending } from "../../../src/host/tmux/ending.ts";
import type { Pane } from "../../../src/host/tmux/pane.ts";
import { SessionPlaces } from "../../../src/host/tmux/places.ts";
import { systemClock } from "../../../src/time/clock.ts";

const dead: Partial<Awaited<ReturnType<Pane["state"]>>> = { isKept: true, isDead: true };

/** The end of a session of which tmux says that it has ended, and nothing else. */
function endOf(notes: Readonly<Record<string, string>>): Promise<Ended> {
  const logs = mkdtempSync(join(tmpdir(), "termtopic-"));
  onTestFinished(() => rmSync(logs, { recursive: true, force: true }));
  const places = new SessionPlaces(logs, "one");
  mkdirSync(places.folder);
  for (const [name, text] of Object.entries({ end: "", ...notes }))
    writeFileSync(join(places.folder, name), text);
  return new Promise((resolve) => {
    const ending = new Ending({
      pane: { state: async () => dead } as Pane,
      places,
      pid: 0,
      clock: systemClock,
      keepAgain: async () => {},
      ended: resolve,
      looked: () => {},
      isMarked: () => true,
    });
    onTestFinished(() => ending.release());
    ending.noted();
  });
}

test("an end of which tmux overlooked how it was is told as the keeper saw it", async () => {
  expect(await endOf({ how: "7:\n" })).toEqual({ code: 7 });
  expect(await endOf({ how: ":9\n" })).toEqual({ signal: "SIGKILL" });
  expect(await endOf({ exit: ":\n", how: "0:\n" })).toEqual({ code: 0 });
});

test("an end that tmux knows is told as tmux says it, and one that nobody saw without how", async () => {
  expect(await endOf({ exit: "3:\n", how: "7:\n" })).toEqual({ code: 3 });
  expect(await endOf({})).toEqual({});
});
