import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { TmuxSource } from "../../src/inventory/tmux.ts";
import { TtySource } from "../../src/inventory/ttys.ts";
import { createProcessTable } from "../../src/processes/index.ts";
import { systemClock } from "../../src/time/clock.ts";
import { onTerminal, opener, openTwo, pidsFrom } from "./openers.ts";
import {
  actAs,
  NOBODY,
  onEnd,
  PrivateTmux,
  sharedFolder,
  subscribe,
  temporaryFolder,
} from "./support.ts";
import { until } from "./unit/support.ts";

/** Subscribes with the sources of ttys and of one tmux server. */
async function subscribeAll(sockets: readonly string[]) {
  const clock = systemClock;
  const table = createProcessTable({ clock });
  onEnd(() => table.close());
  const sources = [new TmuxSource({ clock, table, sockets }), new TtySource()];
  return await subscribe(sockets, { table, sources });
}

const rowOf = (rows: readonly TerminalInfo[], pid: number) =>
  rows.find((row) => row.pid === pid || row.root_pid === pid);

describe("a terminal that a foreign program opened", () => {
  test("is a row as soon as a program is on it, and none once that has ended", async () => {
    const subscriber = await subscribeAll([]);
    const cat = onTerminal("cat");
    await subscriber.until(({ rows }) => rowOf(rows, cat.pid)?.command[0] === "cat");
    const row = rowOf(subscriber.rows, cat.pid);
    expect(row).toMatchObject({ state: "running", command: ["cat"], cwd: "/" });
    expect(row?.id).toMatch(new RegExp(`^tty:pts%2F\\d+@${cat.pid}\\.${row?.start_tick}$`));
    expect(row?.tty).toMatch(/^\/dev\/pts\/\d+$/);
    process.kill(cat.pid, "SIGKILL");
    await subscriber.until(({ rows }) => rowOf(rows, cat.pid) === undefined);
  });

  test("stays one row through an exec of its program, and is another one with the next user of its device", async () => {
    const subscriber = await subscribeAll([]);
    const first = onTerminal("bash", ["-c", "read -r _; exec cat"]);
    await subscriber.until(({ rows }) => rowOf(rows, first.pid)?.command[0] === "bash");
    const id = rowOf(subscriber.rows, first.pid)?.id;
    first.write("\n");
    await subscriber.until(({ rows }) => rowOf(rows, first.pid)?.command[0] === "cat");
    expect(rowOf(subscriber.rows, first.pid)?.id).toBe(id);
    const tty = rowOf(subscriber.rows, first.pid)?.tty;
    process.kill(first.pid, "SIGKILL");
    await first.ended;
    const others = [onTerminal("cat"), onTerminal("cat")];
    await subscriber.until(({ rows }) => others.every(({ pid }) => rowOf(rows, pid)));
    await subscriber.until(({ rows }) => rows.every((row) => row.id !== id));
    const reusing = subscriber.rows.filter((row) => row.tty === tty);
    expect(reusing.length).toBeLessThanOrEqual(1);
  });

  test("without a process is none", async () => {
    const subscriber = await subscribeAll([]);
    const leaked = onTerminal("cat");
    await subscriber.until(({ rows }) => rowOf(rows, leaked.pid) !== undefined);
    const tty = rowOf(subscriber.rows, leaked.pid)?.tty;
    // Somebody else holds its device open, so the kernel goes on showing it.
    const holder = spawn("bash", ["-c", `exec 3<>${tty} && echo held && read -r _`], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    onEnd(() => holder.kill("SIGKILL"));
    await once(createInterface({ input: holder.stdout }), "line");
    process.kill(leaked.pid, "SIGKILL");
    await subscriber.until(({ rows }) => rows.every((row) => row.tty !== tty));
  });
});

describe("a terminal within a terminal", () => {
  test("is a part of it behind a wrapper, whose program the row is then about if it is an agent", async () => {
    const folder = temporaryFolder();
    const tmux = new PrivateTmux(join(folder, "s"));
    const script = "exec script -qec 'exec -a claude sleep 1000' /dev/null";
    tmux.run("new-session", "-d", "-s", "one", script);
    const subscriber = await subscribeAll([tmux.socket]);
    await subscriber.until((s) => s.row("%0")?.command[0] === "claude");
    const row = subscriber.row("%0");
    expect(row?.root_pid).toBe(Number(tmux.run("display-message", "-p", "#{pane_pid}")));
    expect(subscriber.rows.filter(({ pid }) => pid === row?.pid)).toHaveLength(1);
  });

  test("is a row of its own where a program opened several", async () => {
    const subscriber = await subscribeAll([]);
    const pids = await openTwo(temporaryFolder());
    await subscriber.until(({ rows }) => pids.every((pid) => rowOf(rows, pid)));
    for (const pid of pids) expect(rowOf(subscriber.rows, pid)?.id).toMatch(/^tty:/);
  });

  test("is a part of an agent's where its tools opened it, and says nothing of the agent's own", async () => {
    const folder = temporaryFolder();
    const tmux = new PrivateTmux(join(folder, "s"));
    const out = join(folder, "out");
    const agent = `exec -a claude ${process.execPath} ${opener(folder)} > ${out}`;
    tmux.run("new-session", "-d", "-s", "one", agent);
    const subscriber = await subscribeAll([tmux.socket]);
    await subscriber.until((s) => s.row("%0")?.command[0] === "claude");
    const pid = subscriber.row("%0")?.pid;
    await until(() => existsSync(out) && readFileSync(out, "utf8").endsWith("\n"));
    const tools = readFileSync(out, "utf8").trim().split(" ").map(Number);
    const table = createProcessTable({ clock: systemClock });
    onEnd(() => table.close());
    // Until they have begun their own sessions they have the agent's.
    const hasItsOwn = (tool: number) => {
      const process = table.read(tool);
      return process?.session === tool && process.tty !== undefined;
    };
    await until(() => tools.every(hasItsOwn));
    const ttys = tools.map((tool) => table.read(tool)?.tty);
    expect(new Set([...ttys, subscriber.row("%0")?.tty]).size).toBe(3);
    // Another terminal, which is stated later than those would have been.
    const later = onTerminal("cat");
    await subscriber.until(({ rows }) => rowOf(rows, later.pid) !== undefined);
    expect(subscriber.rows.filter(({ tty }) => ttys.includes(tty))).toEqual([]);
    expect(subscriber.row("%0")).toMatchObject({ pid });
  });
});

/** Whether a process of ours may see other devices than we do. */
const mayUnshare = spawnSync("unshare", ["-m", "true"]).status === 0;

test.runIf(process.getuid?.() === 0)(
  "what we may not look at of another user's process is no reason to state nothing",
  async () => {
    const roots = onTerminal("cat");
    const tmux = new PrivateTmux(join(sharedFolder(), "theirs"), NOBODY);
    tmux.run("new-session", "-d", "-s", "one", "exec cat");
    actAs(NOBODY);
    const subscriber = await subscribeAll([tmux.socket]);
    await subscriber.until(({ rows }) => rowOf(rows, roots.pid) !== undefined);
    await subscriber.until((s) => s.row("%0")?.command[0] === "cat");
    const standing = subscriber.sources.map(({ scheme, status }) => [scheme, status]);
    expect(standing).toContainEqual(["tty", "ok"]);
  },
);

test.skipIf(!mayUnshare)(
  "a terminal of a container, whose device has the number of one of ours, is no row",
  async () => {
    const folder = temporaryFolder();
    const subscriber = await subscribeAll([]);
    const ours = onTerminal("cat");
    await subscriber.until(({ rows }) => rowOf(rows, ours.pid) !== undefined);
    const mount =
      "mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx";
    const inside = `exec ${process.execPath} ${opener(folder)}`;
    const contained = await pidsFrom("unshare", ["-m", "bash", "-c", `${mount} && ${inside}`]);
    const later = onTerminal("cat");
    await subscriber.until(({ rows }) => rowOf(rows, later.pid) !== undefined);
    for (const pid of contained) expect(rowOf(subscriber.rows, pid)).toBeUndefined();
  },
);
