import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProcfsTable, SLICE_MS } from "../../src/processes/procfs.ts";
import { systemClock } from "../../src/time/clock.ts";
import {
  afterThisTest,
  countingClock,
  inAnyState,
  run,
  runShell,
  temporaryFolder,
  until,
} from "./support.ts";

const describeOnLinux = describe.skipIf(process.platform !== "linux");

function openTable() {
  const table = createProcfsTable({ clock: systemClock });
  afterThisTest(() => table.close());
  return table;
}

/** The state letter as the file has it, ended processes included. */
const stateLetter = (pid: number) =>
  /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];

const ticksSinceBoot = () => Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]) * 100;

/** How many descriptors of this process are open on files of procfs. */
const openDescriptors = () =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return /^\/proc\/\d+\/./.test(readlinkSync(`/proc/self/fd/${fd}`));
    } catch {
      return false;
    }
  }).length;

describeOnLinux("a process's name", () => {
  it.each([
    ["parentheses and spaces", "a) b (c", "a) b (c"],
    ["a newline", "a\\nb) R 1", "a\nb) R 1"],
    ["bytes that are no UTF-8", "x\\377y", "x\uFFFDy"],
  ])("may hold %s", async (_, printed, name) => {
    const shell = await runShell(`printf '${printed}' > /proc/$$/comm`);
    expect(openTable().read(shell.pid)).toMatchObject({
      pid: shell.pid,
      name,
      parent: process.pid,
    });
  });

  it("is the file's, for a program that has an odd one", async () => {
    const program = join(temporaryFolder(), "a) b\n(c");
    copyFileSync("/bin/sleep", program);
    const { pid } = await run(program, ["1000"]);
    const table = openTable();
    expect(table.read(pid)?.name).toBe("a) b\n(c");
    expect(table.argv(pid)).toEqual([program, "1000"]);
    expect(table.exe(pid)).toBe(program);
    rmSync(program);
    expect(table.exe(pid)).toBe(program);
  });
});

describeOnLinux("a process's arguments", () => {
  it("keep those that are empty", async () => {
    const shell = await runShell("", ["", "a", "", "b c\n", ""]);
    const args = openTable().argv(shell.pid);
    expect(args?.slice(3)).toEqual(["", "a", "", "b c\n", ""]);
  });

  it("are the title alone once the program has set one", async () => {
    const script = "process.title = 'a title'; console.log('set'); process.stdin.resume()";
    const node = await run(process.execPath, ["-e", script, "and", "many", "more", "arguments"]);
    await node.line();
    expect(openTable().argv(node.pid)).toEqual(["a title"]);
  });

  it("are read up to a bound", async () => {
    const shell = await runShell("", ["x".repeat(100_000)]);
    const args = openTable().argv(shell.pid);
    expect(args?.slice(0, 2)).toEqual(["/bin/sh", "-c"]);
    expect(args?.at(-1)).toMatch(/^x{60000,66000}$/);
  });

  it("are none for a thread of the kernel", async () => {
    const table = openTable();
    const { all } = await table.sweep();
    const thread = [...all()].find(({ parent, pid }) => parent === 2 || pid === 2);
    // A container shows none.
    if (thread?.name === "kthreadd") expect(table.argv(thread.pid)).toEqual([]);
  });
});

describeOnLinux("a process's working directory", () => {
  it("may hold newlines and bytes that are no UTF-8", async () => {
    const folder = temporaryFolder();
    mkdirSync(
      Buffer.concat([Buffer.from(`${folder}/a\nb`), Buffer.from([0xff]), Buffer.from("c")]),
    );
    const shell = await runShell(`cd "${folder}/"a*`);
    expect(openTable().cwd(shell.pid)).toEqual({
      path: `${realpathSync(folder)}/a\nb\uFFFDc`,
      deleted: false,
    });
  });

  it.each(["gone", "gone (deleted)"])("%j is stated as deleted when it is", async (name) => {
    const folder = join(realpathSync(temporaryFolder()), name);
    mkdirSync(folder);
    const { pid } = await run("sleep", ["1000"], { cwd: folder });
    const table = openTable();
    expect(table.cwd(pid)).toEqual({ path: folder, deleted: false });
    rmdirSync(folder);
    expect(table.cwd(pid)).toEqual({ path: folder, deleted: true });
    // Another directory of that name is not the one the process is in.
    mkdirSync(folder);
    mkdirSync(`${folder} (deleted)`);
    expect(table.cwd(pid)).toEqual({ path: folder, deleted: true });
  });

  it("follows the directory when it is renamed", async () => {
    const folder = realpathSync(temporaryFolder());
    mkdirSync(`${folder}/a`);
    const { pid } = await run("sleep", ["1000"], { cwd: `${folder}/a` });
    renameSync(`${folder}/a`, `${folder}/b`);
    expect(openTable().cwd(pid)).toEqual({ path: `${folder}/b`, deleted: false });
  });
});

describeOnLinux("a process's environment", () => {
  it("is the one it was started with", async () => {
    const env = { PATH: process.env["PATH"], TMUX_PANE: "%7", ODD: "a=b\nc", EMPTY: "" };
    const { pid } = await run("sleep", ["1000"], { env });
    expect(Object.fromEntries(openTable().environment(pid) ?? [])).toEqual(env);
  });

  it("has no variable that the bound cut in two", async () => {
    const env: Record<string, string> = { PATH: process.env["PATH"] ?? "" };
    for (let i = 0; i < 40; i++) env[`LONG_${i}`] = "x".repeat(10_000);
    const { pid } = await run("sleep", ["1000"], { env });
    const read = openTable().environment(pid);
    expect(read?.size).toBeGreaterThan(20);
    expect(read?.size).toBeLessThan(30);
    for (const [name, value] of read ?? []) expect(value).toBe(env[name]);
  });
});

describeOnLinux("a process that has ended", () => {
  it("is gone although its parent has not noticed", async () => {
    // The shell becomes a program that never waits for the child it has inherited.
    const parent = await run("sh", [
      "-c",
      "exec 3<&0; sh -c 'read -r _' <&3 & echo $!; exec sleep 1000",
    ]);
    const pid = Number(await parent.line());
    const table = openTable();
    await until(() => table.read(parent.pid)?.name === "sleep");
    const startTick = table.read(pid)?.startTick ?? "";
    const held = table.hold(pid, startTick);
    expect(held?.read()).toMatchObject({ pid, startTick });
    parent.write("\n");
    await until(() => stateLetter(pid) === "Z");

    expect(process.kill(pid, 0)).toBe(true);
    expect(table.read(pid)).toBeUndefined();
    expect(held?.read()).toBeUndefined();
    expect(table.argv(pid)).toBeUndefined();
    expect(table.cwd(pid)).toBeUndefined();
    expect(table.exe(pid)).toBeUndefined();
    expect(table.environment(pid)).toBeUndefined();
    expect(table.hold(pid, startTick)).toBeUndefined();
    expect(table.newcomers(new Set()).some((process) => process.pid === pid)).toBe(false);
    expect((await table.sweep()).get(pid)).toBeUndefined();
  });

  it("is gone for everybody once it was reaped", async () => {
    const { pid, end } = await run("sleep", ["1000"]);
    const table = openTable();
    const found = (await table.sweep()).get(pid);
    const held = table.hold(pid, found?.startTick ?? "");
    expect(held?.read()).toEqual(inAnyState(found));
    await end();
    expect(held?.read()).toBeUndefined();
    expect(table.read(pid)).toBeUndefined();
    expect(table.argv(pid)).toBeUndefined();
    expect(table.cwd(pid)).toBeUndefined();
  });
});

describeOnLinux("a held process", () => {
  it("is not held under another start tick", async () => {
    const { pid } = await run("sleep", ["1000"]);
    const before = openDescriptors();
    expect(openTable().hold(pid, "1")).toBeUndefined();
    expect(openDescriptors()).toBe(before);
  });

  it("costs a descriptor until it is released, once or more often", async () => {
    const { pid } = await run("sleep", ["1000"]);
    const table = openTable();
    const startTick = table.read(pid)?.startTick ?? "";
    const before = openDescriptors();
    const holds = Array.from({ length: 5 }, () => table.hold(pid, startTick));
    expect(openDescriptors()).toBe(before + 5);
    holds[0]?.release();
    holds[0]?.release();
    expect(openDescriptors()).toBe(before + 4);
    expect(holds[0]?.read()).toBeUndefined();
    expect(holds[1]?.read()?.pid).toBe(pid);
    table.close();
    expect(openDescriptors()).toBe(before);
    expect(holds[1]?.read()).toBeUndefined();
  });

  it("shows what becomes of it: another name by exec, a stop, a continuation", async () => {
    const shell = await run("sh", ["-c", "read -r _; exec cat"]);
    const table = openTable();
    const before = table.read(shell.pid);
    const held = table.hold(shell.pid, before?.startTick ?? "");
    shell.write("\nafter exec\n");
    expect(await shell.line()).toBe("after exec");
    expect(held?.read()).toMatchObject({ name: "cat", startTick: before?.startTick });
    shell.child.kill("SIGSTOP");
    await until(() => held?.read()?.state === "T");
    shell.child.kill("SIGCONT");
    await until(() => held?.read()?.state === "S");
  });
});

describeOnLinux("a sweep", () => {
  it("has every process that lived before it began and still does", async () => {
    const shell = await runShell("sleep 1000 & sleep 1000 &");
    const snapshot = await openTable().sweep();
    afterThisTest(() => {
      for (const { pid } of snapshot.children(shell.pid)) process.kill(pid, "SIGKILL");
    });
    expect(snapshot.get(process.pid)?.parent).toBe(process.ppid);
    expect(snapshot.get(1)?.pid).toBe(1);
    expect(snapshot.children(shell.pid).map(({ parent }) => parent)).toEqual([
      shell.pid,
      shell.pid,
    ]);
    expect(snapshot.descendants(process.pid).length).toBeGreaterThanOrEqual(3);
  });

  it("gives each caller a snapshot that began at or after its call, and all of a turn the same", async () => {
    let time = 0;
    const table = createProcfsTable({ clock: { ...systemClock, now: () => time++ } });
    const first = table.sweep();
    expect(table.sweep()).toBe(first);
    // The first has begun by the time that a later turn comes.
    await Promise.resolve();
    const calledAt = time++;
    const callers = Array.from({ length: 50 }, () => table.sweep());
    const snapshots = new Set(await Promise.all([first, ...callers]));
    expect(snapshots.size).toBe(2);
    expect((await first).takenAt).toBeLessThan(calledAt);
    expect((await callers[0])?.takenAt).toBeGreaterThan(calledAt);
  });

  it("reads no more than a slice at a time", async () => {
    const root = temporaryFolder();
    const count = 100;
    for (let pid = 1; pid <= count; pid++) {
      mkdirSync(`${root}/${pid}`);
      writeFileSync(`${root}/${pid}/stat`, `${pid} (x) S 0 1 1 0 -1 ${"0 ".repeat(13)}7 0\n`);
    }
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    // Each process is one look at this clock, and so takes one of its milliseconds.
    const table = createProcfsTable({ clock: countingClock(), root, pause });
    expect([...(await table.sweep()).all()].length).toBe(count);
    expect(SLICE_MS).toBeLessThan(5);
    expect(pauses).toBe(Math.ceil(count / SLICE_MS) - 1);
  });

  it("lets others run between two slices", async () => {
    const table = createProcfsTable({ clock: countingClock() });
    let turns = 0;
    let isSweeping = true;
    const turn = () => {
      turns += 1;
      if (isSweeping) setImmediate(turn);
    };
    setImmediate(turn);
    const { all } = await table.sweep();
    isSweeping = false;
    expect(turns).toBeGreaterThanOrEqual(Math.floor([...all()].length / SLICE_MS) - 1);
  });

  it("leaves out what vanishes or is unreadable, and reads the rest", async () => {
    const root = temporaryFolder();
    for (const [pid, stat] of Object.entries({
      1: `1 (init) S 0 1 1 0 -1 ${"0 ".repeat(13)}7 0\n`,
      2: "",
      3: "3 (cut) S 0 1",
      4: "no process at all",
    })) {
      mkdirSync(`${root}/${pid}`);
      writeFileSync(`${root}/${pid}/stat`, stat);
    }
    mkdirSync(`${root}/5`);
    mkdirSync(`${root}/6/stat`, { recursive: true });
    symlinkSync("/nowhere", `${root}/7`);
    mkdirSync(`${root}/self`);
    writeFileSync(`${root}/8`, "");
    const table = createProcfsTable({ clock: systemClock, root });
    const { all } = await table.sweep();
    expect([...all()].map(({ pid }) => pid)).toEqual([1]);
    expect(table.newcomers(new Set()).map(({ pid }) => pid)).toEqual([1]);
    expect(table.newcomers(new Set([1]))).toEqual([]);
    expect(table.startedAt({ pid: 1, startTick: "7" })).toBeUndefined();
    expect(table.bootId).toBe("unknown");
  });

  it("fails where there is nothing to read, instead of finding nobody", async () => {
    const root = join(temporaryFolder(), "missing");
    const table = createProcfsTable({ clock: systemClock, root });
    await expect(table.sweep()).rejects.toThrow("ENOENT");
  });
});

describeOnLinux("a newcomer", () => {
  it("is found by its number alone", async () => {
    const table = openTable();
    const known = new Set([...(await table.sweep()).all()].map(({ pid }) => pid));
    const { pid } = await run("sleep", ["1000"]);
    const newcomers = table.newcomers(known);
    expect(newcomers.find((process) => process.pid === pid)).toMatchObject({ parent: process.pid });
    expect(newcomers.some((newcomer) => known.has(newcomer.pid))).toBe(false);
  });
});

describeOnLinux("a held process", () => {
  it("has not run between two questions while it sleeps, and gives the same answer", async () => {
    const { pid } = await run("sleep", ["1000"]);
    const table = openTable();
    const held = table.hold(pid, table.read(pid)?.startTick ?? "");
    // It may still be on its way to sleep when it is asked first.
    await until(() => held?.read()?.state === "S" && held.hasRun() === false);
    const before = held?.read();
    expect(before?.pid).toBe(pid);
    expect(held?.read()).toBe(before);
    expect(held?.hasRun()).toBe(false);
    const open = openDescriptors();
    held?.release();
    expect(openDescriptors()).toBe(open - 2);
    expect(held?.hasRun()).toBe(true);
  });

  it("has run once it was given something to do", async () => {
    const shell = await run("sh", ["-c", 'while read -r folder; do cd "$folder"; echo done; done']);
    const table = openTable();
    const held = table.hold(shell.pid, table.read(shell.pid)?.startTick ?? "");
    await until(() => held?.hasRun() === false);
    shell.write("/\n");
    await shell.line();
    expect(held?.hasRun()).toBe(true);
    expect(table.cwd(shell.pid)?.path).toBe("/");
  });
});

describeOnLinux("when a process began", () => {
  it("is right to some ten milliseconds", async () => {
    const before = Date.now();
    const { pid } = await run("sleep", ["1000"]);
    const after = Date.now();
    const table = openTable();
    const at = table.startedAt(table.read(pid) ?? { pid, startTick: "" });
    // A tick and the uptime are each cut down to 10 ms, and the clock to 1 ms.
    expect(at).toBeGreaterThanOrEqual(before - 25);
    expect(at).toBeLessThanOrEqual(after + 25);
  });

  it("stays what it was when the wall clock is set, as long as the process lives", async () => {
    const root = temporaryFolder();
    const write = (pid: number, tick: number) => {
      mkdirSync(`${root}/${pid}`, { recursive: true });
      const rest = `${"0 ".repeat(13)}${tick} 0\n`;
      writeFileSync(`${root}/${pid}/stat`, `${pid} (x) S 0 1 1 0 -1 ${rest}`);
    };
    write(1, 150);
    write(2, 250);
    writeFileSync(`${root}/stat`, "cpu 1 2\nbtime 1000\nprocesses 5\n");
    const table = createProcfsTable({ clock: systemClock, root });
    const first = { pid: 1, startTick: "150" };
    expect(table.startedAt(first)).toBe(1_001_500);
    writeFileSync(`${root}/stat`, "btime 2000\n");
    await table.sweep();
    expect(table.startedAt(first)).toBe(1_001_500);
    expect(table.startedAt({ pid: 2, startTick: "250" })).toBe(2_002_500);
    expect(table.startedAt({ pid: 1, startTick: "160" })).toBe(2_001_600);
    expect(table.startedAt({ pid: 9, startTick: "5" })).toBe(2_000_050);
    rmSync(`${root}/9`, { recursive: true, force: true });
    writeFileSync(`${root}/stat`, "btime 3000\n");
    await table.sweep();
    expect(table.startedAt({ pid: 9, startTick: "5" })).toBe(3_000_050);
    expect(table.startedAt({ pid: 2, startTick: "250" })).toBe(2_002_500);
  });
});

describeOnLinux("a process on a terminal", () => {
  it("states the tty, its session and the job in front", async () => {
    const script = "tty; echo $$; sleep 1000 & echo $!; read -r _";
    const outer = await run("script", ["-qec", `exec bash -mc '${script}'`, "/dev/null"]);
    const tty = await outer.line();
    const shellPid = Number(await outer.line());
    const jobPid = Number(await outer.line());
    afterThisTest(() => process.kill(jobPid, "SIGKILL"));
    const table = openTable();
    const shell = table.read(shellPid);
    expect(shell).toMatchObject({ tty, session: shellPid, foregroundGroup: shellPid });
    expect(readlinkSync(`/proc/${shellPid}/fd/0`)).toBe(tty);
    const snapshot = await table.sweep();
    const onTty = snapshot.onTty(shell?.ttyDevice ?? 0).map(({ pid }) => pid);
    expect(onTty.sort()).toEqual([shellPid, jobPid].sort());
    expect(snapshot.get(jobPid)).toMatchObject({ session: shellPid, group: jobPid });
    expect(snapshot.inGroup(jobPid).map(({ pid }) => pid)).toEqual([jobPid]);
  });

  it("is told apart from one on none", async () => {
    const { pid } = await run("sleep", ["1000"], { detached: true });
    expect(openTable().read(pid)).toMatchObject({
      ttyDevice: 0,
      tty: undefined,
      foregroundGroup: -1,
      session: pid,
      group: pid,
    });
  });
});

describeOnLinux("the boot", () => {
  it("has the id that the kernel gave it", () => {
    const id = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    expect(openTable().bootId).toBe(id);
  });
});

describeOnLinux("a table that nobody asks", () => {
  it("keeps no descriptor, no timer and no child", async () => {
    const descriptors = openDescriptors();
    const schedule = () => {
      throw new Error("a timer");
    };
    const table = createProcfsTable({ clock: { ...systemClock, schedule } });
    await table.sweep();
    table.argv(process.pid);
    table.cwd(process.pid);
    table.environment(process.pid);
    table.newcomers(new Set());
    expect(openDescriptors()).toBe(descriptors);
    expect(table.newcomers(new Set()).filter(({ parent }) => parent === process.pid)).toEqual([]);
  });
});

/** Descriptors can be taken from a running process only by another one, which also gives them
 * back. */
async function withoutDescriptors(task: () => Promise<void>): Promise<void> {
  const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  const set = (soft: string) =>
    `read -r _; prlimit --pid ${process.pid} --nofile=${soft}: && echo set`;
  const helper = await run("sh", ["-c", `${set("3")}; ${set(limit ?? "1024")}; read -r _`]);
  helper.write("\n");
  expect(await helper.line()).toBe("set");
  try {
    await task();
  } finally {
    helper.write("\n");
    expect(await helper.line()).toBe("set");
  }
}

describe.skipIf(!existsSync("/usr/bin/prlimit"))("having no descriptor left", () => {
  it("is a failure of the reading and not the end of every process", async () => {
    const table = openTable();
    const startTick = table.read(process.pid)?.startTick ?? "";
    const held = table.hold(process.pid, startTick);
    await withoutDescriptors(async () => {
      await expect(table.sweep()).rejects.toThrow("EMFILE");
      expect(() => table.read(process.pid)).toThrow("EMFILE");
      expect(() => table.argv(process.pid)).toThrow("EMFILE");
      expect(table.hold(process.pid, startTick)).toBeUndefined();
      expect(held?.read()?.pid).toBe(process.pid);
      expect(table.cwd(process.pid)?.path).toBe(process.cwd());
    });
    expect((await table.sweep()).get(process.pid)?.startTick).toBe(startTick);
  });
});

const NAMESPACE = ["-pf", "--mount-proc", "--kill-child"];
if (process.getuid?.() !== 0) NAMESPACE.unshift("-Ur");
const canMakeNamespaces = spawnSync("unshare", [...NAMESPACE, "true"]).status === 0;

describe.skipIf(!canMakeNamespaces)("a number that was reused (needs a pid namespace)", () => {
  it("is another process, and the held one is gone", async () => {
    // Only in a namespace of one's own may the kernel be told which number is next.
    const script = `sleep 1000 & first=$!; echo $first; read -r _
      kill -9 $first; wait $first 2>/dev/null
      echo $((first - 1)) > /proc/sys/kernel/ns_last_pid
      sleep 1000 & echo $!; read -r _`;
    const outer = await run("unshare", [...NAMESPACE, "bash", "-c", script]);
    const pid = Number(await outer.line());
    const [inner] = (await openTable().sweep()).children(outer.pid);
    // Seen from outside, the namespace's own procfs has the numbers that hold inside.
    const table = createProcfsTable({ clock: systemClock, root: `/proc/${inner?.pid}/root/proc` });
    afterThisTest(() => table.close());
    await until(() => table.read(pid)?.name === "sleep");
    const first = table.read(pid);
    const held = table.hold(pid, first?.startTick ?? "");
    expect(held?.read()).toEqual(inAnyState(first));
    // Two starts within one tick are the same to everybody.
    await until(() => ticksSinceBoot() > Number(first?.startTick) + 1);
    outer.write("\n");
    expect(Number(await outer.line())).toBe(pid);

    const second = table.read(pid);
    expect(second?.pid).toBe(pid);
    expect(second?.startTick).not.toBe(first?.startTick);
    expect(held?.read()).toBeUndefined();
    expect(table.hold(pid, first?.startTick ?? "")).toBeUndefined();
    expect(table.hold(pid, second?.startTick ?? "")?.read()?.pid).toBe(pid);
  });
});
