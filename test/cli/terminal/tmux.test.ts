import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import { PrivateScreen } from "../../inventory/private-screen.ts";
import { PrivateTmux } from "../../inventory/support.ts";
import { PlaceHere } from "./support.ts";

/** A place with a private tmux server whose panes are acted on. */
class TmuxPlace extends PlaceHere {
  /** `command`: what its first pane runs. */
  constructor(command = "exec cat") {
    super();
    this.tmux("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", command);
  }

  async row(): Promise<TerminalInfo> {
    const { terminals } = await this.json("ls", ...this.looking);
    const [row] = terminals as TerminalInfo[];
    if (row === undefined) throw new Error("the private server has no pane");
    return row;
  }

  /** Resolves once the pane shows a text. */
  async shows(text: string): Promise<void> {
    while (!this.tmux("capture-pane", "-p").includes(text)) {
      await new Promise((turn) => setTimeout(turn, 10));
    }
  }

  /** What a command says that cannot be done. */
  async refused(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    expect([code, stdout]).toEqual([1, ""]);
    return stderr;
  }
}

describe("a pane of tmux", () => {
  test("is typed into, read and captured by its id, and no host is started for that", async () => {
    const place = new TmuxPlace();
    const { id } = await place.row();
    expect(await place.print("send", id, "one #{pid} $(id) ;", "Space", "two", "Enter")).toBe("");
    await place.shows("one #{pid} $(id) ; two\none");
    const shown = "one #{pid} $(id) ; two\none #{pid} $(id) ; two\n";
    expect(await place.print("capture", id)).toBe(shown);
    expect(await place.print("read", id)).toBe(shown);
    expect(await place.json("send", id, "--submit", "many", "words")).toEqual({ id });
    await place.shows("many words\nmany words");
    expect(await place.json("capture", id)).toEqual({
      id,
      text: expect.stringMatching(/many words$/),
    });
    expect(existsSync(join(place.state, "run/host"))).toBe(false);
    expect(place.tmux("list-buffers")).toBe("");
  });

  test("gets signals for its job, and is closed once no job is in the way or by force", async () => {
    const place = new TmuxPlace("exec sh");
    const { id } = await place.row();
    place.tmux("set-option", "-g", "exit-empty", "off");
    await place.print("send", id, "sleep 1000", "Enter");
    const inFront = () =>
      place.tmux("display-message", "-p", "-t", "%0", "#{pane_current_command}");
    const front = async (program: string) => {
      while (inFront().trim() !== program) await new Promise((turn) => setTimeout(turn, 10));
    };
    await front("sleep");
    expect(await place.refused("close", id)).toBe(
      `termtopic: sleep runs in ${id} (work:0.0); --force ends that too\n`,
    );
    expect(await place.json("signal", id, "int")).toEqual({ id });
    await front("sh");
    place.tmux("split-window", "-d", "-t", "%0", "exec cat");
    expect(await place.json("close", id)).toEqual({ id, closed: true });
    expect(place.tmux("list-panes", "-a", "-F", "#{pane_id}")).toBe("%1\n");
    expect(await place.refused("close", id)).toContain("lists them");
  });

  test("is meant by its name or its short id too, as the publisher states them", async () => {
    const place = new TmuxPlace();
    const { id } = await place.row();
    await place.serve();
    for (const text of ["work:0.0", `tmux:${join(place.sockets, "a")}/0`]) {
      expect((await place.json("capture", text)).id).toBe(id);
    }
    expect(await place.refused("wait", "work:0.0")).toContain(`${id} cannot be waited for`);
    expect(await place.refused("capture", "work:9.9")).toContain("no terminal host runs");
    const { code, stderr } = await place.run(["send", id, "x", "--session", "s"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("not for panes of tmux")]);
  });

  test("is asked back where several have that name, and nothing is typed", async () => {
    const place = new TmuxPlace();
    const { id } = await place.row();
    const other = new PrivateTmux(join(place.sockets, "b"));
    other.run("new-session", "-d", "-s", "work", "exec cat");
    await place.serve();
    const says = await place.refused("send", "work:0.0", "x");
    expect(says).toContain('several terminals are "work:0.0": ');
    expect(says).toContain(`${id} (work:0.0)`);
    expect([place.tmux("capture-pane", "-p").trim(), other.run("capture-pane", "-p")]).toEqual([
      "",
      "",
    ]);
  });

  test("in copy mode is not typed into, and says so", async () => {
    const place = new TmuxPlace();
    const { id } = await place.row();
    place.tmux("copy-mode", "-t", "%0");
    expect(await place.refused("send", id, "q")).toContain("copy mode");
    expect(place.tmux("display-message", "-p", "-t", "%0", "#{pane_in_mode}")).toBe("1\n");
  });

  test("cannot be waited for, resized, renamed or shown: it is told what can be done, and how it is reached", async () => {
    const place = new TmuxPlace();
    const { id } = await place.row();
    const wrong = [
      ["resize", id, "80", "24"],
      ["rename", id, "x"],
    ] as const;
    for (const args of wrong) {
      const says = await place.refused(...args);
      expect(says).toContain(`cannot ${args[0]} ${id}: it is a pane of tmux`);
      expect(says).toContain(`tmux -S ${join(place.sockets, "a")} attach-session -t`);
    }
    const attached = place.shown("attach", id);
    await attached.line(/cannot attach .* from a shell: tmux -S .*attach-session/);
    for (const args of [["wait"], ["read", "--wait", "quiet"]] as const) {
      const [verb, ...options] = args;
      expect(await place.refused(verb, id, ...options)).toContain("cannot be waited for");
    }
  });
});

test("a terminal of another program says what it is, and how it is reached", async () => {
  const place = new PlaceHere();
  const says = [
    ["hyoui:mine", "hyoui attach mine"],
    ["screen:812.99/0", "screen -x 812"],
    ["zellij:quiet-fox/1", "zellij attach quiet-fox"],
    ["tty:pts%2F3@12.99", "only list it"],
  ] as const;
  for (const [id, words] of says) {
    const { code, stderr } = await place.run(["send", id, "x"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`cannot send ${id}: `);
    expect(stderr).toContain(words);
  }
});

test("a terminal of another program is meant by its name too, and says the same", async () => {
  const place = new PlaceHere();
  const screen = await PrivateScreen.start(`named-${process.pid}`);
  for (const args of [["send", "x"], ["wait"]]) {
    const [verb = "", ...more] = args;
    const { code, stderr } = await place.run([verb, `named-${process.pid}`, ...more]);
    expect(code).toBe(1);
    expect(stderr).toContain(`cannot ${verb} screen:${screen.key}/0: it is a window of screen`);
  }
});
