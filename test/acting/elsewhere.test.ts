import { describe, expect, test } from "vitest";
import { paneIn } from "../../src/acting/tmux/pane-id.ts";
import { attachCommand } from "../../src/contract/attach.ts";
import { idPart } from "../../src/sources/text.ts";
import { acting } from "./support.ts";

const ELSEWHERE: readonly (readonly [id: string, way: string])[] = [
  [
    "hyoui:a%20b",
    "a terminal of hyoui, and termtopic can only list it; from a shell: hyoui attach 'a b'",
  ],
  ["hyoui:work/one", "from a shell: hyoui attach one"],
  [
    "screen:812.9000/3",
    "a window of screen, and termtopic can only list it; from a shell: screen -x 812",
  ],
  ["zellij:main/4", "from a shell: zellij attach main"],
  ["wezterm:900.77/5", "from a shell: wezterm cli activate-pane --pane-id 5"],
  ["kitty:900.77/6", "from a shell: kitten @ focus-window --match id:6"],
  ["tty:pts%2F3@900.77", "and termtopic can only list it"],
  ["other:x", "a terminal of another program, and termtopic can only list it"],
];

describe("a terminal that nothing can be done with", () => {
  test.each(ELSEWHERE)("%s is refused with the way to it", async (id, way) => {
    const terminal = acting.on({ id, state: "running", pid: 1 });
    const verbs = [
      terminal.send({ keys: ["x"] }),
      terminal.read({}),
      terminal.capture({}),
      terminal.resize(80, 24),
      terminal.signal("SIGINT"),
      terminal.close({ force: true }),
      terminal.rename("x"),
    ];
    for (const verb of verbs) {
      await expect(verb).rejects.toMatchObject({
        reason: "unsupported",
        code: "capability_unavailable",
        message: expect.stringContaining(way),
      });
    }
  });
});

test("what tmux alone can do with a pane is refused with what can be done", async () => {
  const id = `tmux:${idPart("/tmp/no such/socket")}@812.1770000000/3`;
  const terminal = acting.on({ id, state: "running", pid: 1 });
  const way =
    "termtopic can send, capture, read, signal, close it; from a shell: tmux -S '/tmp/no such/socket' attach-session -t %3";
  await expect(terminal.resize(80, 24)).rejects.toThrow(way);
  await expect(terminal.rename("x")).rejects.toThrow(way);
});

test("a pane's socket is where the inventory names it: a file of the default folders, or a path", () => {
  const folders = ["/run/a/tmux-0", "/tmp/tmux-0"];
  expect(paneIn("tmux:a%3Ab@812.1770000000/3", folders)).toEqual({
    sockets: ["/run/a/tmux-0/a:b", "/tmp/tmux-0/a:b"],
    serverPid: 812,
    startTime: 1_770_000_000,
    number: 3,
  });
  const path = "/home/kim/my sockets/é%1";
  expect(paneIn(`tmux:${idPart(path)}@1.2/0`, folders)?.sockets).toEqual([path]);
  for (const id of ["tmux:a/0", "tmux:a@1.2", "tmux:a%2Fb@1.2/0", "tmux:.@1.2/0", "pty:a@1.2/0"]) {
    expect(paneIn(id, folders)).toBeUndefined();
  }
});

test("what needs no way to it has none, and a terminal of our own is shown by us", () => {
  expect(attachCommand("tty:pts%2F3@1.2")).toBeUndefined();
  expect(attachCommand("pty:a")).toEqual(["termtopic", "attach", "pty:a"]);
});
