import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ScreenOptions, Screens } from "../../../src/host/screen/screens.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { screenWorker } from "./build-worker.ts";
import { bytesOf } from "./support.ts";

describe("screens in their worker", () => {
  let screens: Screens;

  beforeAll(async () => {
    screens = new Screens({ clock: systemClock, version: "1.2.3", worker: await screenWorker() });
  });
  afterAll(() => screens.close());

  const open = (options: Partial<ScreenOptions> = {}) =>
    screens.open({ cols: 20, rows: 4, answer: () => undefined, ...options });

  test("show what they were fed", async () => {
    const screen = open();
    screen.feed(bytesOf("one\r\ntwo"));
    expect(await screen.capture({ scrollback: 0 })).toEqual({ text: "one\ntwo", alternate: false });
    expect(screen.backlog).toBe(0);
    screen.dispose();
  });
});
