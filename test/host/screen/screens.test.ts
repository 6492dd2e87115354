import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ScreenOptions, Screens } from "../../../src/host/screen/screens.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { screenWorker } from "./build-worker.ts";
import { bytesOf, Viewer } from "./support.ts";

const SIZE = { cols: 20, rows: 4 };

describe("screens in their worker", () => {
  let screens: Screens;

  beforeAll(async () => {
    screens = new Screens({ clock: systemClock, version: "1.2.3", worker: await screenWorker() });
  });
  afterAll(() => screens.close());

  const open = (options: Partial<ScreenOptions> = {}) =>
    screens.open({ ...SIZE, answer: () => undefined, ...options });

  test("show what they were fed before they were asked", async () => {
    const screen = open();
    screen.feed(bytesOf("one\r\n"));
    screen.feed(bytesOf("two"));
    const first = screen.capture({ scrollback: 0 });
    screen.feed(bytesOf(" three"));
    expect(await first).toEqual({ text: "one\ntwo", alternate: false });
    expect((await screen.capture({ scrollback: 0 })).text).toBe("one\ntwo three");
    expect(screen.backlog).toBe(0);
    screen.dispose();
  });

  test("show the end of a flood of lines, of which most were not parsed", async () => {
    const screen = open();
    const lines = Array.from({ length: 100_000 }, (_, line) => `line ${line}\r\n`).join("");
    screen.feed(bytesOf("\x1b[31m"));
    screen.feed(bytesOf(lines));
    const { text } = await screen.capture({ scrollback: 1_000, escapes: false });
    const last = lines.split("\r\n").slice(-1_004).join("\n");
    expect(text).toBe(last.trimEnd());
    expect(screen.backlog).toBe(0);
    expect((await screen.snapshot()).end).toBe(lines.length + 5);
    expect((await screen.capture({ scrollback: 0, escapes: true })).text).toContain("\x1b[31m");
    screen.dispose();
  });

  test("tell how much output a snapshot comes after", async () => {
    const screen = open();
    screen.feed(bytesOf("before"));
    const asked = screen.snapshot();
    screen.feed(bytesOf("after"));
    const { bytes, end } = await asked;
    expect(end).toBe(6);
    const viewer = new Viewer(SIZE);
    await viewer.write(bytes);
    await viewer.write("after");
    expect(viewer.terminal.buffer.active.getLine(0)?.translateToString(true)).toBe("beforeafter");
    screen.dispose();
  });

  test("parse output at the size that it was made for", async () => {
    const screen = open();
    screen.feed(bytesOf("\x1b[1;20Hx"));
    screen.resize(30, 4);
    screen.feed(bytesOf("\x1b[2;30Hy"));
    screen.resize(30, 4);
    const { text } = await screen.capture({ scrollback: 0 });
    expect(text.split("\n").map((line) => line.length)).toEqual([20, 30]);
    screen.dispose();
  });

  test.each([
    [1, 4],
    [20, 0],
    [20.5, 4],
    [Number.NaN, 4],
  ])("refuse a size of %d by %d", (cols, rows) => {
    const screen = open();
    expect(() => screen.resize(cols, rows)).toThrow("whole numbers");
    screen.dispose();
  });

  test("keep the bytes that they were fed apart from the caller's", async () => {
    const screen = open();
    const bytes = bytesOf("mine");
    screen.feed(bytes);
    bytes.fill(0x78);
    expect((await screen.capture({ scrollback: 0 })).text).toBe("mine");
    screen.dispose();
  });

  test("answer the program once, and not what was asked before they were there", async () => {
    const answers: string[] = [];
    const screen = open({ answer: (bytes) => answers.push(bytes.toString()) });
    screen.feed(bytesOf("\x1b[6n"), true);
    screen.feed(bytesOf("ab\x1b[6n"));
    await screen.capture({ scrollback: 0 });
    await screen.freeze();
    await screen.capture({ scrollback: 0 });
    expect(answers).toEqual(["\x1b[1;3R"]);
    screen.dispose();
  });

  test("answer while another one is flooded, and know how far that one is", async () => {
    const flooded = open();
    const other = open();
    const flood = bytesOf("\x1b[31mflood\x1b[m \x1b[H".repeat(100_000));
    for (let at = 0; at < flood.length; at += 65_536) {
      flooded.feed(flood.subarray(at, at + 65_536));
    }
    expect(flooded.backlog).toBe(flood.length);
    other.feed(bytesOf("quick"));
    expect((await other.capture({ scrollback: 0 })).text).toBe("quick");
    expect(flooded.backlog).toBeGreaterThan(0);
    expect((await flooded.capture({ scrollback: 0 })).text).toBe("flood");
    expect(flooded.backlog).toBe(0);
    flooded.dispose();
    other.dispose();
  });

  test("are the same after they were frozen, in the order of the calls", async () => {
    const screen = open();
    screen.feed(bytesOf(`${"line\r\n".repeat(10)}\x1b]2;title\x07\x1b[1;31mred`));
    const before = await screen.snapshot({ history: 100 });
    await screen.freeze();
    const after = await screen.snapshot({ history: 100 });
    expect(after).toEqual(before);
    const frozen = screen.freeze();
    screen.feed(bytesOf("!"));
    await frozen;
    expect((await screen.capture({ scrollback: 0 })).text).toBe("line\nline\nline\nred!");
    screen.dispose();
  });

  test("tell when they are read, and not when they are frozen", async () => {
    let reads = 0;
    const screen = open({
      used: () => {
        reads += 1;
      },
    });
    screen.feed(bytesOf("x"));
    await screen.freeze();
    expect(reads).toBe(0);
    await screen.capture({ scrollback: 0 });
    await screen.snapshot();
    expect(reads).toBe(2);
    screen.dispose();
  });

  test("that are closed refuse what they are asked, and what they were", async () => {
    const screen = open();
    screen.feed(bytesOf("x".repeat(500_000)));
    const asked = expect(screen.capture({ scrollback: 0 })).rejects.toThrow("closed");
    screen.dispose();
    screen.dispose();
    await asked;
    await expect(screen.snapshot()).rejects.toThrow("closed");
    screen.feed(bytesOf("x"));
    screen.resize(10, 10);
    await screen.freeze();
    expect(screen.backlog).toBe(0);
  });
});
