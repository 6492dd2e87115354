import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WeztermSource } from "../../src/inventory/wezterm.ts";
import { systemClock } from "../../src/time/clock.ts";
import { Listener, programNamed, StandIn, tableOfTest, temporaryFolder } from "./managers.ts";

/** A stand-in for a wezterm, with a command line that prints what it is told. */
async function wezterm(name = "wezterm-gui") {
  const runtime = temporaryFolder();
  mkdirSync(join(runtime, "wezterm"));
  const manager = await StandIn.start(name, [], { XDG_RUNTIME_DIR: runtime });
  const file = name === "wezterm-gui" ? `gui-sock-${manager.pid}` : "sock";
  const socket = join(runtime, "wezterm", file);
  await manager.listen(socket);
  const answer = join(runtime, "answer");
  const calls = join(runtime, "calls");
  const script = `echo "$WEZTERM_UNIX_SOCKET $*" >>${calls}; cat ${answer}`;
  const program = programNamed("wezterm", script).path;
  const source = new WeztermSource({ clock: systemClock, table: tableOfTest(), program });
  return {
    manager,
    socket,
    calls,
    program,
    source,
    answers: (text: string) => writeFileSync(answer, text),
    listener: new Listener(source, manager),
  };
}

/** A device that no terminal has here: numbers as high as this are not given out. */
const NO_TTY = "/dev/pts/1000000";

/** What wezterm lists, with its first panes on these devices and the others on none that is here. */
function listing(...ttys: readonly string[]): string {
  const recorded = new URL("./recorded/wezterm-list.json", import.meta.url);
  const panes = JSON.parse(readFileSync(recorded, "utf8"));
  for (const [at, pane] of panes.entries()) {
    if (pane.tty_name != null) pane.tty_name = ttys[at] ?? NO_TTY;
  }
  return JSON.stringify(panes);
}

describe("a wezterm", () => {
  test("has its panes as terminals, found by their devices; those of other hosts are none", async () => {
    const { manager, socket, calls, answers, listener } = await wezterm();
    const [one, other] = [await manager.open(), await manager.open()];
    answers(listing(one.tty, other.tty));
    await listener.sees(() => listener.rows.length === 2);
    expect(listener.rows).toEqual([
      {
        id: `wezterm:${manager.key}/0`,
        state: "running",
        rootPid: one.pid,
        tty: one.tty,
        name: "default:0.0",
        title: "nvim",
        cwd: "/home/me/a b",
        cols: 80,
        rows: 24,
      },
      {
        id: `wezterm:${manager.key}/3`,
        state: "running",
        rootPid: other.pid,
        tty: other.tty,
        name: "work:deploy.3",
        title: "zsh",
        cwd: "/srv/あ",
        cols: 200,
        rows: 50,
      },
    ]);
    expect(readFileSync(calls, "utf8").split("\n")[0]).toBe(
      `${socket} -n cli --no-auto-start list --format json`,
    );
    expect(listener.places).toEqual([{ name: socket, status: "ok", code: undefined }]);
  });

  test("is asked on its own socket though it was started in another one", async () => {
    const { manager, socket, answers, listener } = await wezterm();
    const pane = await manager.open({ WEZTERM_UNIX_SOCKET: "/run/wezterm/gui-sock-1" });
    answers(listing(pane.tty));
    await listener.sees(() => listener.rows.length === 1);
    expect(listener.places).toMatchObject([{ name: socket, status: "ok" }]);
  });

  test("that is a server is asked where it told its panes", async () => {
    const { manager, socket, answers, listener } = await wezterm("wezterm-mux-server");
    const pane = await manager.open({ WEZTERM_UNIX_SOCKET: socket });
    answers(listing(pane.tty));
    await listener.sees(() => listener.rows.length === 1);
    expect(listener.rows[0]?.id).toBe(`wezterm:${manager.key}/0`);
  });

  test("without panes is none, and nothing is run", async () => {
    const { calls, listener } = await wezterm();
    let sights = 0;
    await listener.sees(() => ++sights > 3);
    expect(listener.places).toEqual([{ name: undefined, status: "absent", code: undefined }]);
    expect(existsSync(calls)).toBe(false);
  });

  test.each([
    ["answer_too_long", "exec head -c 20000000 /dev/zero"],
    ["unreadable_answer", "echo '[{]'"],
    ["unreadable_answer", "exit 0"],
    ["failed", "echo 'no running instance' >&2; exit 1"],
    ["no_program", "exit 0", "not a program"],
  ])(
    "fails (%s) where its command line runs %j, and its panes are nobody's",
    async (code, script, how = "") => {
      const { manager, program, source, listener } = await wezterm();
      await manager.open();
      writeFileSync(program, `#!/bin/sh\n${script}\n`);
      if (how === "not a program") chmodSync(program, 0o644);
      await listener.sees(() => listener.places[0]?.status === "failing");
      expect(listener.places[0]?.code).toBe(code);
      const process = tableOfTest().read(manager.pid);
      expect(process !== undefined && source.manages(process)).toBe(false);
    },
  );

  test("that fails keeps its terminals, and is well again by itself", async () => {
    const { manager, answers, listener, source } = await wezterm();
    const pane = await manager.open();
    answers(listing(pane.tty));
    await listener.sees(() => listener.rows.length === 1);
    const before = listener.rows;
    answers("");
    void source.read();
    await listener.until(() => listener.places[0]?.status === "failing");
    expect(listener.rows).toEqual(before);
    answers(listing(pane.tty));
    // As the observation does it once a second.
    await listener.sees(() => {
      source.tick();
      return listener.places[0]?.status === "ok";
    });
    expect(listener.rows).toEqual(before);
  });
});
