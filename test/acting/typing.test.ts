import { describe, expect, test } from "vitest";
import { acting, Recorder, seenIn, session, until } from "./support.ts";

describe("what is typed into a pane of tmux", () => {
  test("arrives byte for byte, whatever it looks like and however long it is", async () => {
    const pane = await Recorder.begun();
    const words = ["Enter", ";", "-t", "C-c", "#{pid}", "'\"$(x)`", "\x1b[A\0\x7f", "é✓", "tail;"];
    await pane.terminal.send({ keys: words, literal: true });
    const sent = Buffer.from(words.join("")).toString("latin1");
    expect(await pane.has(sent.length)).toBe(sent);
    const long = `${"long line ".repeat(1_200)};`;
    await pane.terminal.send({ keys: [long], literal: true });
    expect(await pane.has(sent.length + long.length)).toBe(sent + long);
  });

  test("is keys where it names keys, in the form that the program asked for", async () => {
    const pane = await Recorder.begun();
    await pane.terminal.send({ keys: ["ls", "Enter", "C-c", "Up", "M-x", "F1"] });
    const plain = "ls\r\x03\x1b[A\x1bx\x1bOP";
    expect(await pane.has(plain.length)).toBe(plain);

    const application = await Recorder.begun("printf '\\033[?1h\\033=';");
    await application.terminal.send({ keys: ["Up", "KP1", "1"] });
    expect(await application.has(7)).toBe("\x1bOA\x1bOq1");
  });

  test("with controls in it is refused unless it is literal", async () => {
    const pane = await Recorder.begun();
    await expect(pane.terminal.send({ keys: ["a\x1b[A"] })).rejects.toMatchObject({
      reason: "invalid",
      code: "invalid_args",
    });
    expect(pane.typed).toBe("");
  });

  test("keeps the order of the calls: nothing comes between a text and its Enter", async () => {
    const pane = await Recorder.begun();
    const { terminal } = pane;
    await Promise.all([
      terminal.send({ keys: ["one"], submit: true }),
      terminal.send({ keys: ["two", "Enter"] }),
      acting.on(pane.seen).send({ keys: ["three"] }),
    ]);
    expect(await pane.has(13)).toBe("one\rtwo\rthree");
  });

  test("is refused where the terminal would lose the rest of a line", async () => {
    const tmux = session("echo begun; exec cat > /dev/null");
    await until(() => (tmux.run("capture-pane", "-p").includes("begun") ? true : undefined));
    await expect(
      acting.on(seenIn(tmux)).send({ keys: ["x".repeat(5_000)], literal: true }),
    ).rejects.toThrow("no line longer than 4095 bytes");
  });
});

describe("what is submitted to a pane of tmux", () => {
  test("is a marked paste for a program that asked for those, and Enter after it", async () => {
    const pane = await Recorder.begun("printf '\\033[?2004h';");
    await pane.terminal.send({ keys: ["first\nsecond; \x1b[201~rm -r\x03"], submit: true });
    const pasted = "\x1b[200~first\rsecond; rm -r\x1b[201~\r";
    expect(await pane.has(pasted.length)).toBe(pasted);
  });

  test("is the text alone for another", async () => {
    const pane = await Recorder.begun();
    await pane.terminal.send({ keys: ["a b", " c\n"], submit: true });
    expect(await pane.has(6)).toBe("a b c\r");
  });

  test("may be larger than a command of tmux, and leaves no buffer", async () => {
    const pane = await Recorder.begun();
    pane.tmux.run("set-buffer", "the user's own");
    const text = "0123456789".repeat(30_000);
    await pane.terminal.send({ keys: [text], submit: true });
    expect(await pane.has(text.length + 1)).toBe(`${text}\r`);
    expect(pane.tmux.run("list-buffers", "-F", "#{buffer_sample}")).toBe("the user's own");
  });

  test("leaves no buffer where it is refused, and is not typed", async () => {
    const pane = await Recorder.begun();
    pane.tmux.run("copy-mode", "-t", "%0");
    await expect(pane.terminal.send({ keys: ["text"], submit: true })).rejects.toMatchObject({
      reason: "input_blocked",
    });
    expect(pane.tmux.run("list-buffers")).toBe("");
    expect(pane.typed).toBe("");
  });
});
