import { describe, expect, test } from "vitest";
import { Recorder, session, until } from "../../support.ts";
import { rowOf, shownBy, Watcher } from "./support.ts";

describe("what a viewer types into a pane", () => {
  test("runs a command, whose output it sees", async () => {
    const tmux = session("PS1='> ' exec bash --norc --noprofile");
    const watcher = await Watcher.at(rowOf(tmux));
    await watcher.until(() => watcher.screen.includes(">"));
    watcher.type("echo $((6 * 7))\r");
    await watcher.until(() => watcher.screen.includes("42"));
    expect(watcher.screen).toEqual(shownBy(tmux));
  });

  test("arrives byte for byte and in order, however it comes", async () => {
    const recorder = await Recorder.begun();
    const watcher = await Watcher.at(rowOf(recorder.tmux));
    const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 7) % 256));
    for (let at = 0; at < bytes.length; at += 37) {
      void watcher.view?.type(bytes.subarray(at, at + 37));
    }
    const texts = ["é✓日本".repeat(2_000), "'; #{pid} \\; $(x)\r\n", "\x1b[A\0\x7f"];
    for (const text of texts) watcher.type(text);
    const all = Buffer.concat([bytes, Buffer.from(texts.join(""))]).toString("latin1");
    expect(await recorder.has(all.length)).toBe(all);
    expect(recorder.tmux.run("list-buffers")).toBe("");
    expect(watcher.errors).toEqual([]);
  });

  test("waits for what was typed before where that is much, and loses nothing", async () => {
    const recorder = await Recorder.begun();
    const watcher = await Watcher.at(rowOf(recorder.tmux));
    let all = "";
    for (let part = 0; part < 30; part += 1) {
      const text = `${part} ${"0123456789".repeat(5_000)}\r`;
      all += text;
      await watcher.view?.type(Buffer.from(text));
    }
    expect(await recorder.has(all.length)).toBe(all);
  });

  test("is a paste where its terminal marks it as one, and tmux tells the program if it asked for that", async () => {
    const plain = await Recorder.begun();
    const asking = await Recorder.begun("printf '\\033[?2004h';");
    for (const recorder of [plain, asking]) {
      const watcher = await Watcher.at(rowOf(recorder.tmux));
      // tmux tells since 3.7 whether the program asked.
      const told = recorder.tmux.run("display-message", "-p", "#{bracket_paste_flag}");
      expect(watcher.told?.pasteUnknown).toBe(told === "" ? true : undefined);
      if (told === "") await watcher.until(() => watcher.terminal.modes.bracketedPasteMode);
      watcher.type("a\x1b[200~first\rsecond \x03\x1b[A\x1b[201~b");
    }
    expect(await plain.has(17)).toBe("afirst\rsecond [Ab");
    expect(await asking.has(29)).toBe("a\x1b[200~first\rsecond [A\x1b[201~b");
    expect(asking.tmux.run("list-buffers")).toBe("");
  });

  test("is as long as a megabyte in one paste", async () => {
    const recorder = await Recorder.begun("printf '\\033[?2004h';");
    const watcher = await Watcher.at(rowOf(recorder.tmux));
    const text = "0123456789\r".repeat(90_000);
    watcher.type(`\x1b[200~${text}\x1b[201~`);
    expect(await recorder.has(text.length + 12)).toBe(`\x1b[200~${text}\x1b[201~`);
  });

  test("is nothing where it may only look", async () => {
    const recorder = await Recorder.begun();
    const watcher = await Watcher.at(rowOf(recorder.tmux), { readOnly: true });
    const other = await Watcher.at(rowOf(recorder.tmux));
    expect(watcher.told?.readOnly).toBe(true);
    watcher.type("nothing");
    watcher.view?.close(true);
    expect(watcher.errors).toEqual([
      expect.stringContaining("not type into it"),
      expect.stringContaining("not close it"),
    ]);
    other.type("something");
    expect(await recorder.has(9)).toBe("something");
  });

  test("is refused in words while somebody else looks back in the pane, and taken afterwards", async () => {
    const recorder = await Recorder.begun();
    const watcher = await Watcher.at(rowOf(recorder.tmux));
    recorder.tmux.run("copy-mode", "-t", "%0");
    watcher.type("lost");
    await watcher.until(() => watcher.errors.length > 0);
    expect(watcher.errors).toEqual([expect.stringContaining("somebody looks back in the pane")]);
    recorder.tmux.run("send-keys", "-t", "%0", "-X", "cancel");
    watcher.type("typed");
    expect(await recorder.has(5)).toBe("typed");
  });
});

describe("the keyboard of who looks at a pane", () => {
  test("sends what the program asked for: cursor keys, keypad, mouse", async () => {
    const tmux = session(
      "printf '\\033[?1h\\033=\\033[?1002h\\033[?1006h'; read -r line; printf '\\033[?1l\\033>\\033[?1002l\\033[?1006l'; exec cat",
    );
    const watcher = await Watcher.at(rowOf(tmux));
    const { terminal } = watcher;
    await watcher.until(() => terminal.modes.applicationCursorKeysMode);
    expect(terminal.modes).toMatchObject({
      applicationKeypadMode: true,
      mouseTrackingMode: "drag",
    });
    const sent: string[] = [];
    terminal.onData((data) => sent.push(data));
    watcher.type("\r");
    await watcher.until(() => !terminal.modes.applicationCursorKeysMode);
    expect(terminal.modes).toMatchObject({
      applicationKeypadMode: false,
      mouseTrackingMode: "none",
    });
    // Nothing that it was sent made it answer.
    expect(sent).toEqual([]);
  });

  test("is not asked anything by what a program prints", async () => {
    const tmux = session("printf 'text\\033[c\\033[6n\\033]10;?\\033\\\\\\033[?2026$p'; exec cat");
    await until(() => (shownBy(tmux)[0]?.startsWith("text") ? true : undefined));
    const watcher = new Watcher();
    const sent: string[] = [];
    watcher.terminal.onData((data) => sent.push(data));
    const { open } = await import("./support.ts");
    watcher.view = await open(rowOf(tmux), watcher, new AbortController().signal);
    await watcher.until(() => watcher.screen[0]?.startsWith("text") === true);
    expect(sent).toEqual([]);
  });
});
