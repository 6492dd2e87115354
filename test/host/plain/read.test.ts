import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FollowingText } from "../../../src/host/plain/following-text.ts";
import { readPlain } from "../../../src/host/plain/read.ts";
import { PlainRenderer } from "../../../src/host/plain/renderer.ts";
import { RING_MARGIN } from "../../../src/host/ring.ts";
import { Recorder } from "./recorder.ts";

const LIMIT = 256 * 1024;

function recorded(output: string | Uint8Array, limit?: number) {
  const recorder = new Recorder(limit);
  recorder.write(output);
  return recorder;
}

/** Lines with characters of every length and with sequences, none of which looks back. */
const lines = (count: number) =>
  Buffer.from(
    Array.from(
      { length: count },
      (_, index) =>
        `\x1b[3${index % 8}mline ${index} ümläut 日本 \u{1f600}\x1b[0m\x1b]0;t${index}\x07\r\n`,
    ).join(""),
  );

describe("a reading", () => {
  test("tells where it began and ended, and the text between", async () => {
    const recorder = recorded("one\r\ntwo\r\n");
    expect(await readPlain(recorder, 5, LIMIT)).toEqual({
      from: 5,
      to: 10,
      skipped: 0,
      text: "two\n",
      truncated: 0,
    });
    expect(await readPlain(recorder, 99, LIMIT)).toMatchObject({ from: 10, to: 10, text: "" });
    expect(await readPlain(recorder, 0, 3)).toMatchObject({ text: "wo\n", truncated: 5 });
  });

  test("cut anywhere shows neither damage nor a character twice", async () => {
    const output = lines(400);
    const whole = await readPlain(recorded(output), 0, LIMIT);
    const cut = fc.array(fc.integer({ min: 0, max: output.length }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(cut, async (offsets) => {
        const recorder = new Recorder();
        let text = "";
        let from = 0;
        for (const end of [...offsets.sort((a, b) => a - b), output.length]) {
          recorder.write(output.subarray(recorder.ring.end, end));
          const read = await readPlain(recorder, from, LIMIT);
          text += read.text;
          from = read.to;
        }
        expect(text).toBe(whole.text);
      }),
      { numRuns: 60 },
    );
  });

  test("from any offset that is kept begins where the whole text has it", async () => {
    const output = lines(2_000);
    const recorder = recorded(output, 20_000);
    const { text: whole } = await readPlain(recorded(output), 0, LIMIT);
    for (let from = recorder.ring.start; from < output.length; from += 37) {
      const { text, skipped } = await readPlain(recorder, from, LIMIT);
      expect(skipped).toBe(0);
      expect(whole.endsWith(text)).toBe(true);
    }
  });

  test("counts what is no longer kept", async () => {
    const recorder = recorded(Buffer.alloc(30_000, "x"), 10_000);
    recorder.cols = 4096;
    const { from, to, skipped, text } = await readPlain(recorder, 500, LIMIT);
    expect({ from, to, skipped }).toEqual({ from: 500, to: 30_000, skipped: 19_500 });
    expect(text).toBe("x".repeat(10_000));
  });

  test("from inside of a title longer than what is kept shows what comes after it", async () => {
    const recorder = recorded(`before\x1b]0;${"t".repeat(100_000)}`, 10_000);
    expect((await readPlain(recorder, 0, LIMIT)).text).toBe("");
    const text = new FollowingText(recorder, 0, LIMIT);
    recorder.write("more of it\x07after");
    text.advance();
    expect(text.since(0)).toEqual({ finished: "", open: "after" });
    expect((await readPlain(recorder, 0, LIMIT)).text).toBe("after");
  });

  test("knows the column that the cursor is in, and shows nothing of what was there", async () => {
    const recorder = recorded("ab\r\n$ ");
    const from = recorder.ring.end;
    recorder.write("\tx\r\n");
    expect((await readPlain(recorder, from, LIMIT)).text).toBe("      x\n");
    recorder.write("abc");
    const second = recorder.ring.end;
    recorder.write("\b\bX");
    expect((await readPlain(recorder, second, LIMIT)).text).toBe("X");
    recorder.write("\r\nbar 1\r\nbar 2\r\n");
    const third = recorder.ring.end;
    recorder.write("\x1b[2Abar 3\r\n\r\n");
    expect((await readPlain(recorder, third, LIMIT)).text).toBe("bar 3\n");
  });
});

describe("a text that follows", () => {
  test("is what a reading of it all is", () => {
    const output = lines(300);
    const recorder = new Recorder();
    const text = new FollowingText(recorder, 0, LIMIT);
    for (let at = 0; at < output.length; at += 997) {
      recorder.write(output.subarray(at, at + 997));
      text.advance();
    }
    const renderer = new PlainRenderer({ cols: 80, keep: LIMIT });
    renderer.feed(output);
    const { finished, open } = text.since(0);
    expect(finished + open).toBe(renderer.text(LIMIT).text);
    expect(text.position).toBe(output.length);
  });

  test("that is left behind goes on with a new line where nothing is open", () => {
    const recorder = recorded("before");
    const text = new FollowingText(recorder, 0, 16 * LIMIT);
    text.advance();
    recorder.write(lines(2_000));
    while (text.position < recorder.ring.end) text.advance();
    recorder.write(Buffer.alloc(1024 * 1024 + RING_MARGIN, "y"));
    recorder.write("\r\nend");
    while (text.position < recorder.ring.end) text.advance();
    const { finished, open } = text.since(0);
    expect(finished.startsWith("beforeline 0")).toBe(true);
    expect(`${finished}${open}`).toMatch(/\nline 1999 ümläut 日本 😀\ny+\nend$/u);
    expect(`${finished}${open}`).not.toContain("\ufffd");
  });
});
