import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, type Model, modelOf, Viewer } from "./support.ts";

const SIZE = { cols: 80, rows: 24 };

function feed(model: Model, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 8192) model.feed(bytes.subarray(at, at + 8192), false);
}

const text = (model: Model) => model.capture({ scrollback: 0 }).text;

describe("a program that means no good", () => {
  test.each(["L", "M", "S", "T", "I", "Z", "b", "@", "P", "X", " @", " A", "'}", "'~"])(
    "cannot have the parser repeat `CSI 2147483647 %s` that often",
    (final) => {
      const model = modelOf(SIZE);
      const started = performance.now();
      feed(model, bytesOf(`ab\x1b[2147483647${final}`.repeat(20)));
      feed(model, bytesOf("\x1b[H\x1b[2Jafter"));
      expect(performance.now() - started).toBeLessThan(2000);
      expect(text(model)).toBe("after");
    },
  );

  test("cannot fill memory with a string that does not end", () => {
    const model = modelOf(SIZE);
    for (const opener of [
      "\x1b]2;",
      "\x1b]8;;",
      "\x1b]52;c;",
      "\x1bP$q",
      "\x1bPq",
      "\x1b_",
      "\x1b^",
    ]) {
      feed(model, bytesOf(opener));
      feed(model, new Uint8Array(4 * 1024 * 1024).fill(0x61));
      expect(model.snapshot(0).bytes.length).toBeLessThan(16 * 1024);
      feed(model, bytesOf("\x1b\\"));
    }
    feed(model, bytesOf("after"));
    expect(text(model)).toBe("after");
    expect(model.title).toHaveLength(1024);
  });

  test("cannot fill memory with marks on one character", () => {
    const model = modelOf(SIZE);
    feed(model, bytesOf(`e${"\u0301".repeat(200_000)}`));
    expect(text(model).length).toBeLessThanOrEqual(33);
  });

  test("cannot fill memory with links", () => {
    const model = modelOf(SIZE);
    let output = "";
    for (let at = 0; at < 20_000; at += 1) output += `\r\x1b]8;;https://a.example/${at}\x1b\\x`;
    feed(model, bytesOf(output));
    const kept = Array.from({ length: 30_000 }, (_, at) => at).filter((at) => model.links.get(at));
    expect(kept.length).toBeLessThanOrEqual(4096);
    // Those that are shown are among them.
    feed(model, bytesOf("\r\x1b]8;;https://b.example/\x1b\\y"));
    expect(new TextDecoder().decode(model.snapshot(0).bytes)).toContain("https://b.example/");
  });

  test("cannot put more of a link's address into a repaint than there is room for", () => {
    const model = modelOf({ cols: 500, rows: 200 }, 0);
    const address = `https://a.example/${"a".repeat(2000)}`;
    for (let at = 0; at < 20_000; at += 1) {
      feed(model, bytesOf(`\x1b]8;;${address}${at % 2}\x1b\\x`));
    }
    expect(model.snapshot(0).bytes.length).toBeLessThan(4 * 1024 * 1024);
  });

  test("cannot hide sequences in a title or a link", async () => {
    const model = modelOf(SIZE);
    feed(
      model,
      bytesOf("\x1b]2;a\x01b\x7fc\u0085\x07\x1b]8;id=a\x7f;https://x\x7f.example\x07link"),
    );
    const viewer = new Viewer(SIZE);
    await viewer.write(model.snapshot(0).bytes);
    expect(viewer.title).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    expect(new TextDecoder().decode(model.snapshot(0).bytes)).not.toContain("\x7f");
  });

  test("does not stop the parser by erasing from the last cell of a screen without history", () => {
    const model = modelOf({ cols: 4, rows: 2 }, 0);
    feed(model, bytesOf("abcdefgh\x1b[1Jx\x1b[Hy"));
    expect(text(model)).toBe("y\nx");
  });

  test("leaves a screen that can be read, whatever bytes it writes", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 }), (chunks) => {
        const model = modelOf({ cols: 20, rows: 5 }, 50);
        for (const chunk of chunks) model.feed(chunk, false);
        model.resize(7, 9);
        model.freeze();
        model.feed(bytesOf("\x18\x1b\\\x1bc\x1b[?7hok"), false);
        expect(text(model)).toContain("ok");
      }),
      { numRuns: 300 },
    );
  });

  test("does not leave a repaint in the middle of synchronised output", () => {
    const model = modelOf(SIZE);
    feed(model, bytesOf("\x1b[?2026hhalf"));
    const bytes = new TextDecoder().decode(model.snapshot(0).bytes);
    expect(bytes).toContain("\x1b[?2026l");
    expect(bytes).not.toContain("\x1b[?2026h");
    expect(text(model)).toBe("half");
  });
});
