import { describe, expect, it } from "vitest";
import { createProcfsTable } from "../../src/processes/procfs.ts";
import { createPsTable, type PsOptions } from "../../src/processes/ps.ts";
import type { ProcessInfo } from "../../src/processes/types.ts";
import { systemClock } from "../../src/time/clock.ts";
import { afterThisTest, run, runShell } from "./support.ts";

function openTable(options: Partial<PsOptions> = {}) {
  const table = createPsTable({ clock: systemClock, limited: "no_proc", ...options });
  afterThisTest(() => table.close());
  return table;
}

interface Imitated {
  pid: number;
  start: string;
  command?: string;
  line?: string;
}

/** A host whose `ps` prints these processes, at the moment of each sweep. */
function imitate(processes: readonly Imitated[], platform: NodeJS.Platform = "linux") {
  return openTable({
    platform,
    exists: () => true,
    list: async () =>
      processes.map(({ pid, command = "x", line = command }) => ({
        pid,
        ppid: 1,
        name: command,
        cmd: line,
      })),
    print: async () =>
      processes
        .map(({ pid, start, command = "x" }) => `${pid} 1 ${pid} -1 ${pid} ? S ${start} ${command}`)
        .join("\n"),
  });
}

/** What no process changes from one moment to the next; and the start, which the two state
 * differently. */
function lasting(one: ProcessInfo | undefined) {
  if (one === undefined) return undefined;
  const { pid, parent, group, session, ttyDevice, tty } = one;
  return { pid, parent, group, session, ttyDevice, tty };
}

const isMe = ({ pid }: ProcessInfo) => pid === process.pid;

const START = "Sat Jul 19 00:00:01 2025";
const START_SECONDS = Date.UTC(2025, 6, 19, 0, 0, 1) / 1000;

describe.skipIf(process.platform !== "linux")("the table by ps, beside procfs", () => {
  it("agrees about every process that lives on: numbers, groups, session, tty, name, start", async () => {
    const terminal = await run("script", ["-qec", "sh -c 'tty; read -r _'", "/dev/null"]);
    const tty = await terminal.line();
    const procfs = createProcfsTable({ clock: systemClock });
    const ps = openTable();
    const before = await procfs.sweep();
    const snapshot = await ps.sweep();
    const after = await procfs.sweep();
    const stable = [...before.all()].filter(
      (one) => JSON.stringify(lasting(after.get(one.pid))) === JSON.stringify(lasting(one)),
    );
    for (const expected of stable) {
      const found = snapshot.get(expected.pid);
      expect(lasting(found)).toEqual(lasting(expected));
      const at = ps.startedAt(found ?? expected) ?? 0;
      // ps cuts both the boot and the start down to whole seconds.
      expect(Math.abs(at - (procfs.startedAt(expected) ?? 0))).toBeLessThanOrEqual(2000);
    }
    expect(stable.length).toBeGreaterThan(3);
    const onTty = stable.filter((one) => one.tty === tty);
    expect(onTty.length).toBeGreaterThan(0);
    for (const { pid, name, foregroundGroup } of [...onTty, ...stable.filter(isMe)]) {
      expect(snapshot.get(pid)).toMatchObject({ name, foregroundGroup });
    }
  });

  it("answers from the last sweep, about those that still live", async () => {
    const shell = await runShell("", ["one", "two  three"]);
    const table = openTable();
    expect(table.read(shell.pid)).toBeUndefined();
    expect(table.newcomers(new Set())).toEqual([]);
    const found = (await table.sweep()).get(shell.pid);
    const held = table.hold(shell.pid, found?.startTick ?? "");
    expect(table.read(shell.pid)).toEqual(found);
    expect(held?.read()).toEqual(found);
    expect(table.hold(shell.pid, "1")).toBeUndefined();
    // Where an argument ended is lost.
    expect(table.argv(shell.pid)?.slice(-3)).toEqual(["one", "two", "three"]);
    expect(table.exe(shell.pid)).toMatch(/sh$/);
    expect(table.cwd(shell.pid)).toBeUndefined();
    expect(table.environment(shell.pid)).toBeUndefined();
    expect(table.newcomers(new Set()).map(({ pid }) => pid)).toContain(shell.pid);
    expect(table.newcomers(new Set([shell.pid])).map(({ pid }) => pid)).not.toContain(shell.pid);
    await shell.end();
    expect(table.read(shell.pid)).toBeUndefined();
    expect(held?.read()).toBeUndefined();
    expect(table.argv(shell.pid)).toBeUndefined();
  });
});

describe("a process that ps prints", () => {
  it("keeps its start although ps prints another second the next time", async () => {
    const processes = [{ pid: 7, start: START }];
    const table = imitate(processes);
    await table.sweep();
    const startTick = String(START_SECONDS);
    expect(table.read(7)?.startTick).toBe(startTick);
    for (const start of ["Sat Jul 19 00:00:02 2025", "Sat Jul 19 00:00:00 2025"]) {
      processes[0] = { pid: 7, start };
      await table.sweep();
      expect(table.read(7)?.startTick).toBe(startTick);
    }
    expect(table.startedAt({ pid: 7, startTick })).toBe(START_SECONDS * 1000);
  });

  it("is another one when its number shows a later start", async () => {
    const processes = [{ pid: 7, start: START }];
    const table = imitate(processes);
    await table.sweep();
    const held = table.hold(7, String(START_SECONDS));
    processes[0] = { pid: 7, start: "Sat Jul 19 00:00:03 2025" };
    await table.sweep();
    expect(table.read(7)?.startTick).toBe(String(START_SECONDS + 2));
    expect(held?.read()).toBeUndefined();
  });

  it("is stated when the list has it too: the two are not of one instant", async () => {
    const table = openTable({
      exists: () => true,
      list: async () => [{ pid: 7, ppid: 1, name: "x" }],
      print: async () => [7, 8].map((pid) => `${pid} 1 1 -1 1 ? S ${START} x`).join("\n"),
    });
    const { all } = await table.sweep();
    expect([...all()].map(({ pid }) => pid)).toEqual([7]);
  });

  it("has no arguments when ps prints its name in brackets", async () => {
    const table = imitate([{ pid: 2, start: START, command: "kthreadd", line: "[kthreadd]" }]);
    await table.sweep();
    expect(table.argv(2)).toEqual([]);
  });

  it("has its program's path whole on macOS", async () => {
    const command = "/Applications/Some App.app/Contents/MacOS/Some App";
    const table = imitate([{ pid: 7, start: START, command, line: `${command} -a b` }], "darwin");
    await table.sweep();
    expect(table.argv(7)).toEqual([command, "-a", "b"]);
    expect(table.read(7)?.name).toBe("Some App");
  });
});

describe("a sweep by ps", () => {
  it("fails when ps prints nothing of the form asked for, instead of finding nobody", async () => {
    const table = openTable({ list: async () => [], print: async () => "usage: ps\n" });
    await expect(table.sweep()).rejects.toThrow("`ps` listed no process");
  });

  it("fails at its deadline, ends that ps, and lets the next one run", async () => {
    const deadlines: Array<() => void> = [];
    const signals: AbortSignal[] = [];
    const clock = {
      ...systemClock,
      schedule(_: number, task: () => void) {
        deadlines.push(task);
        return () => deadlines.splice(deadlines.indexOf(task), 1);
      },
    };
    let isHanging = true;
    const table = openTable({
      clock,
      exists: () => true,
      list: async () => [{ pid: 7, ppid: 1, name: "x" }],
      print: (signal) => {
        signals.push(signal);
        return isHanging ? new Promise(() => {}) : Promise.resolve(`7 1 1 -1 1 ? S ${START} x`);
      },
    });
    const hanging = table.sweep();
    await Promise.resolve();
    isHanging = false;
    const next = table.sweep();
    for (const deadline of [...deadlines]) deadline();
    await expect(hanging).rejects.toThrow("did not answer within 10000 ms");
    expect(signals[0]?.aborted).toBe(true);
    expect((await next).get(7)?.name).toBe("x");
    expect(deadlines).toEqual([]);
    expect(signals[1]?.aborted).toBe(false);
  });

  it("ends when the table is closed", async () => {
    const table = openTable({ list: async () => [], print: () => new Promise(() => {}) });
    const sweep = table.sweep();
    await Promise.resolve();
    table.close();
    await expect(sweep).rejects.toThrow("was closed");
    await expect(table.sweep()).rejects.toThrow("was closed");
  });
});
