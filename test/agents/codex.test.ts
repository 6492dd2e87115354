import { describe, expect, test } from "vitest";
import { THREADLESS_MS } from "../../src/agents/codex/run.ts";
import { CodexSource } from "../../src/agents/codex.ts";
import { settled } from "../lib/fake-clock.ts";
import { processInfo } from "../lib/fake-table.ts";
import { HOME, lockOf, rolloutOf, setCodex, threadId, tickAt } from "./codex/support.ts";
import { onFakeHost } from "./watched.ts";

const onHost = () => onFakeHost((host) => new CodexSource(host));

/** A host with a Codex that has just begun. */
function withYoungCodex(files: string[] = []) {
  const host = onHost();
  const info = { startTick: tickAt(host.clock.now()) };
  const holds = (...open: string[]) => setCodex(host.table, 10, { info, files: open });
  holds(...files);
  return { ...host, holds };
}

/** A reading, and the time that bursts of wakes take to be over. */
async function read({ source, clock }: Pick<ReturnType<typeof onHost>, "source" | "clock">) {
  const reading = source.read();
  await clock.advance(100);
  await reading;
}

describe("where no Codex runs", () => {
  test("there is none, for sure, once the processes were seen", async () => {
    const { table, watched, source } = onHost();
    source.tick();
    await source.read();
    expect(watched.readings).toEqual([]);
    table.set(processInfo(10), { argv: ["vim", "codex"], cwd: { path: "/", deleted: false } });
    await watched.see();
    expect(watched.finding).toEqual({ kind: "absent" });
  });

  test("nobody's open files are listed", async () => {
    const { table, watched, source } = onHost();
    table.set(processInfo(10), { argv: ["claude"], openFiles: [lockOf(threadId(1))] });
    setCodex(table, 11, { argv: ["codex", "app-server"] });
    await watched.see();
    source.tick();
    expect(table.descriptorReads.size).toBe(0);
  });
});

describe("a Codex is stated", () => {
  test("with its thread as soon as it has one open, by its record or by its lock", async () => {
    for (const file of [lockOf(threadId(1)), rolloutOf(threadId(1))]) {
      const { watched, table, holds } = withYoungCodex();
      await watched.see();
      expect(watched.finding).toEqual({ kind: "rows", items: [] });
      const { startTick } = holds(file);
      await watched.see();
      expect(watched.runs).toEqual([
        {
          pid: 10,
          startTick,
          cwd: "/src",
          kind: "interactive",
          startedAt: table.startedAt({ pid: 10, startTick }),
          configDir: `${HOME}/.codex`,
          sid: threadId(1),
        },
      ]);
    }
  });

  test("without one when it has had none for five seconds", async () => {
    const { watched, source, clock, holds } = withYoungCodex(["/dev/pts/1"]);
    await watched.see();
    await clock.advance(THREADLESS_MS - 1);
    source.tick();
    expect(watched.runs).toEqual([]);
    await clock.advance(1);
    source.tick();
    expect(watched.runs).toMatchObject([{ pid: 10 }]);
    expect(watched.run(10)).not.toHaveProperty("sid");
    holds(lockOf(threadId(1)));
    source.tick();
    expect(watched.run(10)?.sid).toBe(threadId(1));
  });

  test("at once where it began longer ago than that", async () => {
    const { watched, table } = onHost();
    setCodex(table, 10);
    await watched.see();
    expect(watched.pids).toEqual([10]);
  });

  test("with another thread when it has gone over to one", async () => {
    const { watched, source, holds } = withYoungCodex([lockOf(threadId(1))]);
    await watched.see();
    holds(lockOf(threadId(2)));
    source.tick();
    expect(watched.run(10)?.sid).toBe(threadId(2));
  });

  test("with its last thread for five seconds after it has left it, and then without", async () => {
    const { watched, source, clock, holds } = withYoungCodex([lockOf(threadId(1))]);
    await watched.see();
    await clock.advance(60_000);
    holds();
    source.tick();
    await clock.advance(THREADLESS_MS - 1);
    source.tick();
    expect(watched.run(10)?.sid).toBe(threadId(1));
    await clock.advance(1);
    source.tick();
    expect(watched.run(10)).toBeDefined();
    expect(watched.run(10)).not.toHaveProperty("sid");
  });

  test("until it ends, which need not be seen among all processes", async () => {
    const { watched, source, table } = onHost();
    setCodex(table, 10);
    await watched.see();
    table.end(10);
    source.tick();
    expect(watched.finding).toEqual({ kind: "absent" });
  });

  test("never in the place of another that had its number", async () => {
    const { watched, source, table } = onHost();
    setCodex(table, 10, { files: [lockOf(threadId(1))] });
    await watched.see();
    setCodex(table, 10, { info: { startTick: "99999" }, files: [lockOf(threadId(2))] });
    source.tick();
    expect(watched.runs).toEqual([]);
    await watched.see();
    expect(watched.run(10)).toMatchObject({ startTick: "99999", sid: threadId(2) });
  });

  test("in the directory that it is in now, also where that was deleted", async () => {
    const { watched, source, table } = onHost();
    setCodex(table, 10, { cwd: "/one" });
    await watched.see();
    table.set(processInfo(10), {
      ...table.processes.get(10),
      cwd: { path: "/two", deleted: true },
    });
    source.tick();
    expect(watched.run(10)?.cwd).toBe("/two");
  });
});

describe("one run is one row:", () => {
  test("the program, and not the launcher that waits for it", async () => {
    const { watched, table } = onHost();
    setCodex(table, 10, { argv: ["node", "/usr/bin/codex"], exe: "/usr/bin/node" });
    setCodex(table, 11, { info: { parent: 10, group: 10 }, argv: ["/opt/vendor/codex"] });
    await watched.see();
    expect(watched.pids).toEqual([11]);
  });

  test("a runtime that runs the program itself", async () => {
    const { watched, table } = onHost();
    setCodex(table, 10, { argv: ["node", "/usr/bin/codex"], exe: "/usr/bin/node" });
    await watched.see();
    expect(watched.pids).toEqual([10]);
  });

  test("a Codex that another has started as its tool", async () => {
    const { watched, table } = onHost();
    setCodex(table, 10, { files: [lockOf(threadId(1))] });
    setCodex(table, 11, {
      info: { parent: 10 },
      argv: ["codex", "exec", "x"],
      files: [lockOf(threadId(2))],
    });
    await watched.see();
    expect(watched.runs).toMatchObject([
      { pid: 10, sid: threadId(1), kind: "interactive" },
      { pid: 11, sid: threadId(2), kind: "exec" },
    ]);
  });

  test("what a Codex forks to start a tool is none, though it has its thread open too", async () => {
    const { watched, table, clock } = onHost();
    setCodex(table, 10, { files: [lockOf(threadId(1))] });
    const info = { parent: 10, startTick: tickAt(clock.now()) };
    setCodex(table, 11, { info, files: [lockOf(threadId(1))] });
    await watched.see();
    expect(watched.pids).toEqual([10]);
  });
});

describe("how it was started", () => {
  test.each([
    [["codex"], "interactive"],
    [["codex", "fix the tests"], "interactive"],
    [["codex", "resume", "--last"], "interactive"],
    [["codex", "exec", "fix"], "exec"],
    [["codex", "e", "fix"], "exec"],
    [["codex", "-m", "gpt", "--cd=/src", "--full-auto", "exec", "fix"], "exec"],
    [["codex", "-c", "exec"], "interactive"],
    [["codex", "--config", "a=1", "-s", "read-only", "e"], "exec"],
    [["codex", "--", "exec"], "interactive"],
    [["codex", "-m"], "interactive"],
    [["codex", "the", "exec"], "interactive"],
  ])("%j is %s", async (argv, kind) => {
    const { watched, table } = onHost();
    setCodex(table, 10, { argv });
    await watched.see();
    expect(watched.run(10)?.kind).toBe(kind);
  });

  test.each([
    [{ HOME }, `${HOME}/.codex`],
    [{ HOME, CODEX_HOME: "/srv/codex/" }, "/srv/codex"],
    [{ HOME, CODEX_HOME: "conf" }, "/src/conf"],
    [{ HOME, CODEX_HOME: "" }, `${HOME}/.codex`],
    [{ CODEX_HOME: "/srv/codex" }, "/srv/codex"],
  ])("with the environment %j, its home is %s", async (environment, configDir) => {
    const { watched, table } = onHost();
    setCodex(table, 10, { environment });
    await watched.see();
    expect(watched.run(10)?.configDir).toBe(configDir);
  });

  test("without a home, that of its user counts", async () => {
    const { watched, table } = onHost();
    setCodex(table, 10, { environment: {} });
    await watched.see();
    expect(watched.run(10)?.configDir).toMatch(/^\/.*\/\.codex$/);
  });
});

describe("what cannot be read", () => {
  test("is no row, and the source says how it falls short", async () => {
    const { watched, table } = onHost();
    setCodex(table, 10, { cwd: null });
    await watched.see();
    expect(watched.finding).toMatchObject({ kind: "rows", items: [] });
    expect(watched.fault?.code).toBe("processes_hidden");
    setCodex(table, 11);
    await watched.see();
    expect(watched.pids).toEqual([11]);
    expect(watched.fault?.msg).toContain("1 of Codex");
    table.end(10);
    await watched.see();
    expect(watched.fault).toBeUndefined();
  });

  test("is not counted where it has ended meanwhile", async () => {
    const { watched, table } = onHost();
    setCodex(table, 10, { cwd: null });
    const read = table.read.bind(table);
    table.read = (pid) => (pid === 10 ? undefined : read(pid));
    await watched.see();
    expect(watched.finding).toEqual({ kind: "absent" });
  });

  test("of its open files leaves what was known, and says so", async () => {
    const { watched, table, source, clock } = onHost();
    setCodex(table, 10, { files: [lockOf(threadId(1))] });
    await watched.see();
    table.openFiles = () => undefined;
    source.tick();
    await clock.advance(60_000);
    source.tick();
    expect(watched.run(10)?.sid).toBe(threadId(1));
    expect(watched.fault?.code).toBe("processes_hidden");
  });

  test("for want of descriptors keeps every row", async () => {
    const { watched, table, source, clock } = onHost();
    setCodex(table, 10, { files: [lockOf(threadId(1))] });
    await watched.see();
    const { openFiles } = table;
    table.openFiles = () => {
      throw new Error("EMFILE: too many open files");
    };
    source.tick();
    expect(watched.finding).toEqual({
      kind: "failing",
      fault: { code: "processes_unreadable", msg: "EMFILE: too many open files" },
    });
    await read({ source, clock });
    expect(watched.finding?.kind).toBe("failing");
    table.openFiles = openFiles;
    source.tick();
    expect(watched.run(10)?.sid).toBe(threadId(1));
  });

  test("of any process, where the system tells nothing, is a failing source", async () => {
    const { watched, table } = onHost();
    Object.assign(table, { kind: "ps", limited: "no_proc" });
    await watched.see();
    expect(watched.finding).toEqual({ kind: "absent" });
    setCodex(table, 10, { cwd: null });
    await watched.see();
    expect(watched.finding).toMatchObject({
      kind: "failing",
      fault: { code: "no_proc" },
      items: [],
    });
  });
});

describe("of many, whatever time there is", () => {
  test("a few are looked at each second, and all for a reading", async () => {
    const { watched, table, source, clock } = onHost();
    const pids = Array.from({ length: 20 }, (_, index) => 100 + index);
    for (const pid of pids) setCodex(table, pid, { files: [lockOf(threadId(pid))] });
    await watched.see();
    await read({ source, clock });
    const { openFiles } = table;
    const { monotonic } = clock;
    let spent = 0;
    clock.monotonic = () => monotonic.call(clock) + spent;
    table.openFiles = (pid) => {
      spent += 1;
      return openFiles.call(table, pid);
    };
    const looked = () => {
      const before = new Map(table.descriptorReads);
      return () => pids.filter((pid) => table.descriptorReads.get(pid) !== before.get(pid));
    };
    const [inOne, inTen, inReading] = [looked(), looked(), looked()];
    source.tick();
    expect(inOne().length).toBe(2);
    for (let tick = 1; tick < 10; tick += 1) source.tick();
    expect(inTen()).toEqual(pids);
    const readings = looked();
    await read({ source, clock });
    expect(readings()).toEqual(pids);
    expect(inReading()).toEqual(pids);
    expect(watched.pids).toEqual(pids);
  });
});

describe("when it is stopped", () => {
  test("nothing is said any more, no timer is left, and it can be started again", async () => {
    const { watched, table, source, clock } = onHost();
    setCodex(table, 10, { files: [lockOf(threadId(1))] });
    await watched.see();
    const reading = source.read();
    source.stop();
    await reading;
    const said = watched.readings.length;
    source.tick();
    await watched.see();
    await source.read();
    await settled();
    expect(watched.readings.length).toBe(said);
    expect(clock.pending).toBe(0);
    watched.start();
    await watched.see();
    expect(watched.run(10)?.sid).toBe(threadId(1));
  });
});
