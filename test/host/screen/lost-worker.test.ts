import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { Screens } from "../../../src/host/screen/screens.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { bytesOf } from "./support.ts";

const WORKER = pathToFileURL("test/host/screen/program/stuck-worker.mjs");
const SIZE = { cols: 20, rows: 4 };
const NOTHING = { scrollback: 0 };

describe("screens whose worker is lost", () => {
  const clock = new FakeClock();
  let screens: Screens | undefined;
  const start = (worker = WORKER) => {
    screens = new Screens({ clock, version: "1", worker });
    return screens;
  };
  afterEach(() => screens?.close());

  /** A screen that is fed as a terminal feeds it, and remembers it. */
  function opened(all: Screens) {
    let kept = "";
    let told: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => {
      told = resolve;
    });
    const screen = all.open({
      ...SIZE,
      answer: () => told?.(),
      replay: () => new Uint8Array(bytesOf(kept)),
    });
    const feed = (text: string) => {
      kept += text;
      screen.feed(bytesOf(text));
    };
    return { screen, feed, answered };
  }

  test("are made anew from what is kept, but the one that it was stuck at begins empty", async () => {
    const all = start();
    const good = opened(all);
    const bad = opened(all);
    good.feed("kept");
    expect((await good.screen.capture(NOTHING)).text).toBe("kept");
    bad.feed("STUCK");
    const waiting = bad.screen.capture(NOTHING);
    const refused = expect(waiting).rejects.toThrow("took too long");
    await bad.answered;
    good.feed(" and more");
    const asked = good.screen.capture(NOTHING);
    await clock.advance(5000);
    await clock.advance(2000);
    await refused;
    expect((await asked).text).toBe("kept and more");
    expect(bad.screen.backlog).toBe(0);
    bad.feed("good");
    expect((await bad.screen.capture(NOTHING)).text).toBe("good");
  });

  test("are made anew when it dies", async () => {
    const all = start();
    const good = opened(all);
    const bad = opened(all);
    good.feed("kept");
    expect((await good.screen.capture(NOTHING)).text).toBe("kept");
    bad.feed("DIES");
    await expect(bad.screen.capture(NOTHING)).rejects.toThrow("took too long");
    expect((await good.screen.capture(NOTHING)).text).toBe("kept");
  });

  test("are refused in words when it does not start, and take output all the same", async () => {
    const { screen, feed } = opened(start(pathToFileURL("/nonexistent/worker.mjs")));
    await expect(screen.capture(NOTHING)).rejects.toThrow("does not start");
    feed("x".repeat(100_000));
    await expect(screen.snapshot()).rejects.toThrow("does not start");
    expect(screen.backlog).toBe(0);
  });

  test("cost no look at the clock while nothing is to be done", async () => {
    const { screen, feed } = opened(start());
    feed("x");
    await screen.capture(NOTHING);
    await clock.advance(3000);
    expect(clock.pending).toBe(0);
  });
});
