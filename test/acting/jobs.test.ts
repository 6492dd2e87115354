import { describe, expect, test } from "vitest";
import { Acting } from "../../src/acting/acting.ts";
import type { ProcessTable } from "../../src/processes/types.ts";
import type { PrivateTmux } from "../inventory/support.ts";
import { acting, seenIn, session, table, until } from "./support.ts";

const shown = (tmux: PrivateTmux, text: string) =>
  until(() => (tmux.run("capture-pane", "-p").includes(text) ? true : undefined));

/** A shell with job control in a pane, in which this has been typed. */
async function shell(command: string): Promise<PrivateTmux> {
  const tmux = session("PS1='$ ' exec sh -i");
  await shown(tmux, "$");
  tmux.run("send-keys", "-t", "%0", "-l", `${command}\n`);
  return tmux;
}

/** Resolves once a job is in front of the shell. */
async function jobIn(tmux: PrivateTmux): Promise<number> {
  const pid = Number(tmux.run("display-message", "-p", "-t", "%0", "#{pane_pid}"));
  return until(() => {
    const root = table.read(pid);
    return root && root.foregroundGroup !== root.group ? root.foregroundGroup : undefined;
  });
}

describe("a signal to a pane of tmux", () => {
  test("reaches the job in front, all of it, and not its shell", async () => {
    const tmux = await shell("sleep 1000 | sleep 2000");
    const job = await jobIn(tmux);
    const members = async () => (await table.sweep()).inGroup(job).length;
    while ((await members()) < 2);
    await acting.on(seenIn(tmux)).signal("SIGTERM");
    while ((await members()) > 0);
    expect(tmux.panes()).toEqual(["%0"]);
  });

  test("reaches the pane's own program where no job is in front of it", async () => {
    const tmux = session("trap 'echo got' USR1; echo set; while :; do sleep 0.02; done");
    await shown(tmux, "set");
    await acting.on(seenIn(tmux)).signal("SIGUSR1");
    await shown(tmux, "got");
  });

  test("reaches nobody who has the number of what was seen", async () => {
    const tmux = session("exec cat");
    const seen = { ...seenIn(tmux), start_tick: "1" };
    await expect(acting.on(seen).signal("SIGKILL")).rejects.toMatchObject({ reason: "changed" });
    const other = { ...seenIn(tmux), pid: process.pid };
    await expect(acting.on(other).signal("SIGKILL")).rejects.toMatchObject({ reason: "changed" });
    expect(tmux.run("display-message", "-p", "#{pane_dead}")).toBe("0");
  });

  test("has nobody to reach in a pane that has ended", async () => {
    const tmux = session("exec cat");
    tmux.run("set-option", "-g", "remain-on-exit", "on");
    const seen = seenIn(tmux);
    tmux.run("send-keys", "-t", "%0", "C-d");
    await tmux.ended(1);
    for (const one of [seen, seenIn(tmux)]) {
      await expect(acting.on(one).signal("SIGINT")).rejects.toMatchObject({ reason: "ended" });
    }
  });
});

describe("closing a pane of tmux", () => {
  test("is refused while a job is in front of its shell, with its program, unless it is forced", async () => {
    const tmux = await shell("sleep 1000");
    const job = await jobIn(tmux);
    const terminal = acting.on(seenIn(tmux));
    const refused = expect.objectContaining({
      reason: "busy",
      code: "rate_limited",
      program: "sleep",
    });
    await expect(terminal.close({})).rejects.toEqual(refused);
    expect(table.read(job)).toBeDefined();
    tmux.run("new-window", "exec cat");
    await terminal.close({ force: true });
    expect(tmux.panes()).toEqual(["%1"]);
    await until(() => (table.read(job) === undefined ? true : undefined));
  });

  test("takes a shell away that does nothing, and a pane that has ended", async () => {
    const tmux = await shell("");
    tmux.run("set-option", "-g", "remain-on-exit", "on");
    tmux.run("new-window", "exec cat");
    tmux.run("new-window", "true");
    await tmux.ended(1);
    await acting.on(seenIn(tmux, "%0")).close({});
    await acting.on(seenIn(tmux, "%2")).close({});
    expect(tmux.panes()).toEqual(["%1"]);
  });

  test("waits for a program that began so lately that it has no terminal yet", async () => {
    const tmux = session("exec cat");
    tmux.run("new-window", "exec cat");
    const seen = seenIn(tmux);
    let looks = 0;
    const early: ProcessTable = Object.create(table, {
      sweep: { value: () => table.sweep() },
      read: {
        value: (pid: number) => {
          const process = table.read(pid);
          if (process === undefined || pid !== seen.pid) return process;
          looks += 1;
          return looks < 3 ? { ...process, ttyDevice: 0 } : process;
        },
      },
    });
    const channel = async () => undefined;
    await new Acting({ table: early, channel }).on(seen).close({});
    expect([looks >= 3, tmux.panes()]).toEqual([true, ["%1"]]);
  });

  test("is done also where the server ends with its last pane", async () => {
    const tmux = session("exec cat");
    await acting.on(seenIn(tmux)).close({});
    await until(() => (table.read(tmux.pid) === undefined ? true : undefined));
  });
});
