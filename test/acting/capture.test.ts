import { describe, expect, test } from "vitest";
import { acting, seenIn, session, until } from "./support.ts";

/** A pane that shows what a shell's printf makes of this, and then waits. */
async function shows(text: string, ...size: string[]) {
  const tmux = session("exec cat");
  if (size.length > 0) tmux.run("resize-window", ...size);
  tmux.run("respawn-pane", "-k", "-t", "%0", `stty -echo; printf '${text}<end>'; exec cat`);
  await until(() => (tmux.run("capture-pane", "-p").includes("<end>") ? true : undefined));
  return { tmux, terminal: acting.on(seenIn(tmux)) };
}

describe("what a pane of tmux shows", () => {
  test("is text, without the spaces and the empty lines behind it", async () => {
    const { terminal } = await shows("one   \\ntwo\\\\n \\033[31mred\\033[m é✓\\n\\n");
    const text = "one\ntwo\\n red é✓\n\n<end>";
    expect(await terminal.capture({})).toEqual({ text });
    expect(await terminal.read({ peek: true })).toEqual({ text });
  });

  test("has its colours where they are wanted", async () => {
    const { terminal } = await shows("\\033[31mred\\033[m plain");
    const { text } = await terminal.capture({ escapes: true });
    expect(text).toBe("\x1b[31mred\x1b[39m plain<end>");
  });

  test("has lines before the screen, as many as are wanted", async () => {
    const { terminal } = await shows("1\\n2\\n3\\n4\\n5\\n", "-x", "20", "-y", "3");
    expect((await terminal.capture({})).text).toBe("4\n5\n<end>");
    expect((await terminal.capture({ scrollback: 2 })).text).toBe("2\n3\n4\n5\n<end>");
    const all = "1\n2\n3\n4\n5\n<end>";
    expect((await terminal.capture({ scrollback: Number.MAX_SAFE_INTEGER })).text).toBe(all);
  });

  test("has lines that the width broke as one where that is wanted", async () => {
    const { terminal } = await shows("0123456789abcdef  \\n", "-x", "10", "-y", "6");
    expect((await terminal.capture({})).text).toBe("0123456789\nabcdef\n<end>");
    expect((await terminal.capture({ joinWrapped: true })).text).toBe("0123456789abcdef\n<end>");
  });

  test("has lines where they were drawn, not the letters that stand for them", async () => {
    const { terminal } = await shows("\\033(0lqk\\033(B lqk \\033(0\\033[31mx\\033(B\\033[m");
    expect((await terminal.capture({})).text).toBe("┌─┐ lqk │<end>");
    const { text } = await terminal.capture({ escapes: true });
    expect(text).toContain("┌─┐ lqk \x1b[31m│");
  });

  test("can be read of a pane that has ended, and behind a mode that somebody looks at it in", async () => {
    const { tmux, terminal } = await shows("here");
    tmux.run("copy-mode", "-t", "%0");
    expect((await terminal.capture({})).text).toBe("here<end>");
    tmux.run("set-option", "-g", "remain-on-exit", "on");
    tmux.run("respawn-pane", "-k", "-t", "%0", "echo last; read line");
    await until(() => (tmux.run("capture-pane", "-p").includes("last") ? true : undefined));
    tmux.run("send-keys", "-t", "%0", "Enter");
    await tmux.ended(1);
    const dead = acting.on(seenIn(tmux));
    // tmux says below what it shows that it is dead, which moves that up.
    expect((await dead.capture({ scrollback: 5 })).text).toContain("last\n");
  });
});

test("tmux keeps no output, so a pane cannot be waited for, and that is said", async () => {
  const { terminal } = await shows("x");
  const waits = [{ wait: { until: "quiet", timeoutMs: 10 } }, { from: 3 }] as const;
  for (const input of waits) {
    await expect(terminal.read(input)).rejects.toMatchObject({
      reason: "unsupported",
      code: "capability_unavailable",
    });
  }
});
