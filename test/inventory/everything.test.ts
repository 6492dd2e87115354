import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { HyouiSource } from "../../src/inventory/hyoui.ts";
import { KittySource } from "../../src/inventory/kitty.ts";
import { ScreenSource } from "../../src/inventory/screen.ts";
import { TmuxSource } from "../../src/inventory/tmux.ts";
import { TtySource } from "../../src/inventory/ttys.ts";
import { WeztermSource } from "../../src/inventory/wezterm.ts";
import { ZellijSource } from "../../src/inventory/zellij.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { systemClock } from "../../src/time/clock.ts";
import { onTerminal, opener, openTwo } from "./openers.ts";
import { PrivateScreen } from "./private-screen.ts";
import { onEnd, PrivateTmux, subscribe, temporaryFolder } from "./support.ts";
import { until } from "./unit/support.ts";

test("with every kind of manager and opener at once, each terminal is exactly one row under the right scheme", async () => {
  const folder = temporaryFolder();
  const table = createProcessTable({ clock: systemClock });
  onEnd(() => table.close());
  const [one, two] = ["one", "two"].map((name) => new PrivateTmux(join(folder, name)));
  if (one === undefined || two === undefined) throw new Error("there are two");
  one.run("new-session", "-d", "-s", "one", "exec cat");
  // A wrapper in a pane, and an agent whose tools open terminals.
  one.run("new-window", "-d", "exec script -qec 'exec cat' /dev/null");
  const tools = join(folder, "tools");
  one.run("new-window", "-d", `exec -a claude ${process.execPath} ${opener(folder)} > ${tools}`);
  two.run("new-session", "-d", "-s", "two", "exec cat");
  const screen = await PrivateScreen.start("three");
  const [bare, ...rest] = [onTerminal("cat"), onTerminal("cat")];
  // A program of a foreign one, and one that hyoui says is its own.
  const foreign = await openTwo(folder);
  const hyoui = rest[0];
  const line = {
    session: "build-1",
    status: "live",
    child_state: "running",
    child_pid: hyoui?.pid,
    argv: ["cat"],
    cwd: "/",
    clients: 0,
  };
  writeFileSync(join(folder, "sessions.jsonl"), `${JSON.stringify(line)}\n`);
  writeFileSync(join(folder, "hyoui"), `#!/bin/sh\nexec cat ${folder}/sessions.jsonl\n`);
  chmodSync(join(folder, "hyoui"), 0o755);
  await until(() => existsSync(tools) && readFileSync(tools, "utf8").endsWith("\n"));

  const context = { clock: systemClock, table };
  const environment = { ...process.env, PATH: `${folder}:${process.env["PATH"]}`, HOME: folder };
  const subscriber = await subscribe([], {
    table,
    sources: [
      new HyouiSource({ ...context, environment }),
      new TmuxSource({ ...context, sockets: [one.socket, two.socket] }),
      new ScreenSource(context),
      new ZellijSource(context),
      new WeztermSource(context),
      new KittySource(context),
      new TtySource(),
    ],
  });
  const panes = (tmux: PrivateTmux) =>
    tmux.run("list-panes", "-a", "-F", "#{pane_pid}").split("\n").map(Number);
  const expected = new Map<number, string>([
    ...[...panes(one), ...panes(two)].map((pid) => [pid, "tmux"] as const),
    ...[...foreign, bare?.pid ?? 0].map((pid) => [pid, "tty"] as const),
    [hyoui?.pid ?? 0, "hyoui"],
    ...screen.windowPids().map((pid) => [pid, "screen"] as const),
  ]);
  expect(expected.size).toBe(9);
  const schemes = (rows: readonly TerminalInfo[], pid: number) =>
    rows
      .filter((row) => row.pid === pid || row.root_pid === pid)
      .map(({ id }) => id.slice(0, id.indexOf(":")));
  await subscriber.until(({ rows }) =>
    [...expected].every(([pid, scheme]) => schemes(rows, pid).join() === scheme),
  );
  // What wrappers and tools opened is no row, whichever way it is counted.
  const inside = [...(await table.sweep()).all()].filter(({ name, pid }) => {
    return name === "cat" && !expected.has(pid);
  });
  const opened = new Set([
    ...readFileSync(tools, "utf8").trim().split(" ").map(Number),
    ...inside.filter(({ parent }) => panes(one).includes(parent)).map(({ pid }) => pid),
  ]);
  expect(opened.size).toBe(3);
  for (const pid of opened) expect(schemes(subscriber.rows, pid)).toEqual([]);
  const ttys = [...opened].map((pid) => table.read(pid)?.tty);
  expect(subscriber.rows.filter(({ tty }) => ttys.includes(tty))).toEqual([]);
  const agents = subscriber.classified.starting.map(({ command }) => command[0]);
  expect(agents).toContain("claude");
});
