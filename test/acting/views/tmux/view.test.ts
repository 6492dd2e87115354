import { expect, test } from "vitest";
import { session } from "../../support.ts";
import { rowOf, shownBy, Watcher } from "./support.ts";

test("what a pane shows is shown", async () => {
  const tmux = session("seq 1 50; exec cat");
  const watcher = await Watcher.at(rowOf(tmux));
  await watcher.until(() => watcher.screen.includes("50"));
  expect(watcher.screen).toEqual(shownBy(tmux));
  watcher.type("hello\r");
  await watcher.until(() => watcher.screen.filter((x) => x === "hello").length === 2);
  console.log(watcher.events, watcher.history.length, watcher.received);
  expect(watcher.screen).toEqual(shownBy(tmux));
});
