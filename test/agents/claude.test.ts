import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ProcessTable } from "../../src/processes/types.ts";
import { until } from "../inventory/unit/support.ts";
import {
  defaultHome,
  Observer,
  runsIn,
  StateFolder,
  sid,
  startAgent,
  stateOf,
  table,
} from "./claude/support.ts";

describe("a state file of a process that lives", () => {
  test("is a run, with all that it says and the start of its process", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(
      agent.pid,
      stateOf(agent, {
        startedAt: 1_700_000_000_000,
        name: "fix the build",
        status: "waiting",
        statusUpdatedAt: 1_700_000_001_000,
        waitingFor: "dialog open",
        state: "a state of tomorrow",
        backgroundId: "b1",
        entrypoint: "cli",
      }),
    );
    const observer = new Observer();
    expect(await observer.untilRun(agent.pid)).toEqual({
      pid: agent.pid,
      startTick: agent.startTick,
      sid: sid(agent.pid),
      cwd: "/work",
      kind: "interactive",
      startedAt: 1_700_000_000_000,
      configDir: defaultHome(),
      name: "fix the build",
      status: "waiting",
      statusAt: 1_700_000_001_000,
      waitingFor: "dialog open",
      state: "a state of tomorrow",
      backgroundId: "b1",
    });
  });

  test("is a run at once when it appears, although no sweep has seen its process", async () => {
    const folder = new StateFolder();
    const observer = new Observer();
    await observer.sweep();
    await observer.until(({ kind }) => kind === "rows");
    const agent = await startAgent();
    // Nobody sweeps meanwhile: what is seen is seen because the file came and went.
    for (let round = 0; round < 9; round += 1) {
      folder.write(agent.pid, stateOf(agent));
      await observer.untilRun(agent.pid);
      folder.remove(agent.pid);
      await observer.untilNoRun(agent.pid);
    }
  });

  test("that is put in place under its name whole is a run as well", async () => {
    const folder = new StateFolder();
    const observer = new Observer();
    await observer.until(({ kind }) => kind === "rows");
    const agent = await startAgent();
    const draft = join(folder.path, `${agent.pid}.json.tmp`);
    writeFileSync(draft, stateOf(agent));
    renameSync(draft, folder.file(agent.pid));
    await observer.untilRun(agent.pid);
  });

  test("moves its run to another session in place", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent, { sessionId: sid(1) }));
    const observer = new Observer();
    await observer.untilRun(agent.pid, { sid: sid(1) });
    const from = observer.readings.all.length;
    folder.write(agent.pid, stateOf(agent, { sessionId: sid(2) }));
    await observer.untilRun(agent.pid, { sid: sid(2) });
    const since = observer.readings.all.slice(from).map(({ finding }) => finding);
    expect(since.every((finding) => finding.kind === "rows" && finding.items.length === 1)).toBe(
      true,
    );
  });

  test("takes its run away when it goes", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.untilRun(agent.pid);
    folder.remove(agent.pid);
    await observer.untilNoRun(agent.pid);
  });

  test("that says the same again makes no reading", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    const other = await startAgent();
    folder.write(agent.pid, stateOf(agent, { startedAt: 1, updatedAt: 1 }));
    const observer = new Observer();
    await observer.untilRun(agent.pid);
    const from = observer.readings.all.length;
    for (let round = 0; round < 1_000; round += 1) {
      folder.write(agent.pid, round % 2 === 0 ? "" : '{"pid":');
      folder.write(agent.pid, stateOf(agent, { startedAt: 1, updatedAt: round }));
      if (round % 50 === 0) await new Promise((turn) => setImmediate(turn));
    }
    folder.write(other.pid, stateOf(other));
    await observer.untilRun(other.pid);
    const kinds = observer.readings.all.slice(from).filter(({ ms }) => ms === undefined);
    expect(kinds).toHaveLength(1);
  });
});

describe("what is no run", () => {
  test("a file that was left behind, of a process that has ended", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    await agent.end();
    const observer = new Observer();
    await observer.source.read();
    await observer.sweep();
    expect(observer.finding()).toEqual({ kind: "rows", items: [] });
  });

  test("a file of a process whose number another one has by now", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    const before = String(Number(agent.startTick) - 1);
    folder.write(agent.pid, stateOf(agent, { procStart: before }));
    const observer = new Observer();
    await observer.source.read();
    await observer.sweep();
    expect(observer.runs()).toEqual([]);
    folder.write(agent.pid, stateOf(agent));
    await observer.untilRun(agent.pid);
  });

  test("a helper of the harness, although it writes a file", async () => {
    const folder = new StateFolder();
    const helper = await startAgent({ args: ["--bg-spare"] });
    const agent = await startAgent({ args: ["--continue"] });
    for (const one of [helper, agent]) folder.write(one.pid, stateOf(one));
    const observer = new Observer();
    await observer.untilRun(agent.pid);
    await observer.sweep();
    await observer.source.read();
    expect(observer.run(helper.pid)).toBeUndefined();
  });

  test("a process whose file names another run from now on, at once", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    const observer = new Observer();
    for (const other of [{ procStart: "1" }, { pid: process.pid }, { pid: 2 ** 31 - 1 }]) {
      folder.write(agent.pid, stateOf(agent));
      await observer.untilRun(agent.pid);
      folder.write(agent.pid, stateOf(agent, other));
      await observer.until((finding) => runsIn(finding).length === 0);
    }
  });

  test.each([
    ["of the older generation", (pid: number) => `pid-${pid}.json`],
    ["with leading zeros", (pid: number) => `0${pid}.json`],
    ["that is a draft", (pid: number) => `${pid}.json.tmp`],
    ["that is hidden", (pid: number) => `.${pid}.json`],
  ])("a file under a name %s", async (_, name) => {
    const folder = new StateFolder();
    const agent = await startAgent();
    writeFileSync(join(folder.path, name(agent.pid)), stateOf(agent));
    const observer = new Observer();
    await observer.source.read();
    expect(observer.runs()).toEqual([]);
  });
});

describe("without the start of its process", () => {
  test("a file is of the process when that is the harness and had begun by then", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent, { procStart: undefined }));
    const observer = new Observer();
    await observer.untilRun(agent.pid, { startTick: agent.startTick });
  });

  test.each([
    ["has begun since", "claude", -10_000],
    ["is another program", "sleep", 0],
  ])("a file is of nobody when the process %s", async (_, name, apart) => {
    const folder = new StateFolder();
    const agent = await startAgent({ name });
    const startedAt = Date.now() + apart;
    folder.write(agent.pid, stateOf(agent, { procStart: undefined, startedAt }));
    const observer = new Observer();
    await observer.source.read();
    await observer.sweep();
    expect(observer.runs()).toEqual([]);
  });

  test("a table by `ps` goes by program and time, for it counts starts in another way", async () => {
    const folder = new StateFolder();
    const [agent, recycled] = [await startAgent(), await startAgent()];
    folder.write(agent.pid, stateOf(agent, { procStart: "90071992547409921" }));
    folder.write(recycled.pid, stateOf(recycled, { startedAt: Date.now() - 10_000 }));
    const observer = new Observer({ over: { ...table, kind: "ps" } });
    await observer.untilRun(agent.pid);
    await observer.source.read();
    expect(observer.run(recycled.pid)).toBeUndefined();
  });

  test("a table by `ps`, which knows a process from a sweep on, finds its file then", async () => {
    const folder = new StateFolder();
    let swept = new Set<number>();
    const over: ProcessTable = {
      ...table,
      kind: "ps",
      read: (pid) => (swept.has(pid) ? table.read(pid) : undefined),
      newcomers: () => [],
      async sweep() {
        const snapshot = await table.sweep();
        swept = new Set([...snapshot.all()].map(({ pid }) => pid));
        return snapshot;
      },
    };
    const observer = new Observer({ over });
    await observer.sweep();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    await observer.source.read();
    expect(observer.runs()).toEqual([]);
    await observer.sweep();
    await observer.untilRun(agent.pid);
  });
});

describe("a run ends with its process, although its file stays", () => {
  test("when the processes are read", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.sweep();
    await observer.untilRun(agent.pid);
    await agent.end();
    const from = observer.readings.all.length;
    await observer.sweep();
    // Said before the look had ended.
    expect(observer.readings.all.length).toBeGreaterThan(from);
    expect(observer.runs()).toEqual([]);
  });

  test("with the next second", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.untilRun(agent.pid);
    observer.source.tick();
    expect(observer.run(agent.pid)).toBeDefined();
    await agent.end();
    observer.source.tick();
    expect(observer.runs()).toEqual([]);
  });

  test("even while its parent has not noticed", async () => {
    const folder = new StateFolder();
    const shell = await startAgent();
    folder.write(shell.pid, stateOf(shell));
    const observer = new Observer();
    await observer.untilRun(shell.pid);
    // Node asks for its child a turn later at the earliest: until then it is a zombie.
    shell.child.kill("SIGKILL");
    const end = performance.now() + 1_000;
    while (table.read(shell.pid) !== undefined && performance.now() < end);
    observer.source.tick();
    expect(observer.runs()).toEqual([]);
  });

  test("and another process with its number is not taken for it", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    let shift = 0;
    const over: ProcessTable = {
      ...table,
      read(pid) {
        const info = table.read(pid);
        return info && { ...info, startTick: String(Number(info.startTick) + shift) };
      },
    };
    const observer = new Observer({ over });
    await observer.untilRun(agent.pid);
    shift = 1;
    observer.source.tick();
    expect(observer.runs()).toEqual([]);
    await observer.source.read();
    expect(observer.runs()).toEqual([]);
  });

  test("but not while processes cannot be read at all", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    let isExhausted = false;
    const fail = () => {
      throw Object.assign(new Error("no descriptor is left"), { code: "EMFILE" });
    };
    const over: ProcessTable = {
      ...table,
      read: (pid) => (isExhausted ? fail() : table.read(pid)),
      newcomers: (known) => (isExhausted ? fail() : table.newcomers(known)),
    };
    const observer = new Observer({ over });
    await observer.untilRun(agent.pid);
    isExhausted = true;
    observer.source.tick();
    await observer.source.read();
    const late = await startAgent();
    folder.write(late.pid, stateOf(late));
    await observer.source.read();
    expect(observer.runs()).toHaveLength(1);
    isExhausted = false;
    await until(() => {
      observer.source.tick();
      return observer.run(late.pid) !== undefined;
    });
    expect(observer.run(agent.pid)).toBeDefined();
  });
});

describe("a source that was stopped", () => {
  test("says nothing more and leaves nothing behind, and begins anew when it is started", async () => {
    const folder = new StateFolder();
    const agent = await startAgent();
    folder.write(agent.pid, stateOf(agent));
    const observer = new Observer();
    await observer.untilRun(agent.pid);
    const reading = observer.source.read();
    folder.write(agent.pid, stateOf(agent, { status: "idle" }));
    observer.source.stop();
    await reading;
    const from = observer.readings.all.length;
    observer.source.tick();
    await observer.sweep();
    await observer.source.read();
    const other = new Observer();
    await other.untilRun(agent.pid, { status: "idle" });
    expect(observer.readings.all).toHaveLength(from);
    observer.source.start((one) => observer.readings.take(one));
    await observer.untilRun(agent.pid, { status: "idle" });
  });
});

describe("the folder of state files", () => {
  test("may be missing, come later, and go with all its runs", async () => {
    const agent = await startAgent();
    const observer = new Observer();
    await observer.until(({ kind }) => kind === "absent");
    const folder = new StateFolder();
    folder.write(agent.pid, stateOf(agent));
    await observer.untilRun(agent.pid);
    rmSync(folder.home, { recursive: true });
    await observer.until(({ kind }) => kind === "absent");
    new StateFolder().write(agent.pid, stateOf(agent));
    await observer.untilRun(agent.pid);
  });
});
