import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CodexSource } from "../../src/agents/codex.ts";
import { kernelWatches, until } from "../inventory/unit/support.ts";
import { run } from "../processes/support.ts";
import { CodexHost, endWithTest } from "./codex/real.ts";
import { threadId } from "./codex/support.ts";
import { onThisHost, ticking } from "./watched.ts";

const make = (host: ConstructorParameters<typeof CodexSource>[0]) => new CodexSource(host);

function onHost() {
  const codex = new CodexHost();
  return { ...onThisHost(make, codex.home), codex };
}

describe.skipIf(process.platform !== "linux")("a Codex process", () => {
  test("is stated with the thread whose lock it holds open", async () => {
    const { watched, table, codex } = onHost();
    const { pid } = await codex.start([codex.lock(threadId(1))]);
    await watched.look();
    const startTick = table.read(pid)?.startTick ?? "";
    expect(watched.run(pid)).toEqual({
      pid,
      startTick,
      cwd: codex.home,
      kind: "interactive",
      startedAt: table.startedAt({ pid, startTick }),
      configDir: codex.codexHome,
      sid: threadId(1),
    });
  });

  test("has its thread stated when it opens it, without another look at the processes", async () => {
    const { watched, codex } = onHost();
    mkdirSync(join(codex.codexHome, "thread-writer-locks"), { recursive: true });
    const running = await codex.start();
    await watched.look();
    expect(watched.run(running.pid)).toBeUndefined();
    const lock = join(codex.codexHome, "thread-writer-locks", `${threadId(1)}.lock`);
    await running.do(`exec 7>>'${lock}'`);
    await watched.until(() => watched.run(running.pid)?.sid === threadId(1));
  });

  test("has it stated too where the folder of its locks comes only then", async () => {
    const { watched, codex } = onHost();
    const running = await codex.start();
    await watched.look();
    const folder = join(codex.codexHome, "thread-writer-locks");
    await running.do(`mkdir -p '${folder}'; exec 7>>'${folder}/${threadId(1)}.lock'`);
    await watched.until(() => watched.run(running.pid)?.sid === threadId(1));
  });

  test("goes over to a thread that it takes up again at the next tick, for no lock comes with it", async () => {
    const { watched, source, codex } = onHost();
    const running = await codex.start([codex.lock(threadId(2))]);
    const lock = codex.lock(threadId(1));
    await watched.look();
    await running.do(`exec 3>>'${lock}'`);
    await ticking(source, () => watched.run(running.pid)?.sid === threadId(1));
  });

  test("keeps its thread while a sub-agent runs in it, whichever is newer", async () => {
    const { watched, source, codex } = onHost();
    const running = await codex.start([codex.rollout(threadId(1)), codex.lock(threadId(1))]);
    await watched.look();
    const subagent = codex.rollout(threadId(2), { subagent: { thread_spawn: {} } });
    await running.do(`exec 5>>'${subagent}' 6>>'${codex.lock(threadId(2))}'`);
    for (let look = 0; look < 3; look += 1) {
      await source.read();
      expect(watched.run(running.pid)?.sid).toBe(threadId(1));
    }
    await running.do(`exec 7>>'${codex.rollout(threadId(3))}'`);
    await ticking(source, () => watched.run(running.pid)?.sid === threadId(3));
  });

  test("with several threads open is stated once it is known which are sub-agents'", async () => {
    const { watched, codex } = onHost();
    const subagent = codex.rollout(threadId(2), { subagent: "review" });
    const { pid } = await codex.start([subagent, codex.rollout(threadId(1))]);
    await watched.look();
    const stated = watched.readings.flatMap(({ finding }) =>
      finding.kind === "rows" ? finding.items.filter((run) => run.pid === pid) : [],
    );
    expect(new Set(stated.map(({ sid }) => sid))).toEqual(new Set([threadId(1)]));
  });

  test("that was started by npm's launcher is one run, the program's own", async () => {
    const { watched, codex } = onHost();
    const launcher = join(codex.home, "bin", "codex");
    mkdirSync(join(codex.home, "bin"));
    const lock = codex.lock(threadId(1));
    const script = `exec 7>>'${lock}'; echo $$; read -r _`;
    writeFileSync(
      launcher,
      `require("node:child_process").spawn(${JSON.stringify(codex.program)},
         ["-c", ${JSON.stringify(script)}], { stdio: "inherit" });`,
    );
    const started = await codex.run(process.execPath, [launcher]);
    const pid = Number(await started.line());
    endWithTest(pid);
    await watched.look();
    expect(watched.runs).toMatchObject([{ pid, sid: threadId(1) }]);
  });

  test("has runs of its own below it, as tools", async () => {
    const { watched, codex } = onHost();
    const [outer, inner] = [codex.lock(threadId(1)), codex.lock(threadId(2))];
    const tool = `exec 3>>"${inner}"; echo $$; read -r _`;
    const script = `exec 3>>'${outer}' 4<&0; '${codex.program}' -c '${tool}' exec <&4 & echo $$; wait`;
    const started = await codex.run(codex.program, ["-c", script]);
    const pids = [Number(await started.line()), Number(await started.line())];
    for (const pid of pids) endWithTest(pid);
    await watched.look();
    const sids = new Map(watched.runs.map(({ pid, sid, kind }) => [pid, `${sid} ${kind}`]));
    expect([...sids.values()].sort()).toEqual([
      `${threadId(1)} interactive`,
      `${threadId(2)} exec`,
    ]);
    expect([...sids.keys()].sort()).toEqual(pids.sort());
  });

  test("that ends is gone with the next tick", async () => {
    const { watched, source, codex } = onHost();
    const running = await codex.start([codex.lock(threadId(1))]);
    await watched.look();
    expect(watched.run(running.pid)).toBeDefined();
    await running.end();
    await ticking(source, () => watched.run(running.pid) === undefined);
  });

  test("that is another user's is no row", async (context) => {
    if (process.getuid?.() !== 0) context.skip();
    const codex = new CodexHost();
    const { watched } = onThisHost(make);
    const { pid } = await codex.start([codex.lock(threadId(1))]);
    process.seteuid?.(65_534);
    try {
      await watched.look();
    } finally {
      process.seteuid?.(0);
    }
    expect(watched.run(pid)).toBeUndefined();
    expect(watched.fault?.code).toBe("processes_hidden");
  });

  test("leaves no watch behind when the source stops, and none of a home that nobody uses", async () => {
    const before = kernelWatches();
    const { watched, source, codex } = onHost();
    const running = await codex.start([codex.lock(threadId(1))]);
    await watched.look();
    expect(kernelWatches()).toBeGreaterThan(before);
    await running.end();
    await watched.look();
    await until(() => kernelWatches() === before);
    await codex.start([codex.lock(threadId(1))]);
    await watched.look();
    expect(kernelWatches()).toBeGreaterThan(before);
    source.stop();
    await until(() => kernelWatches() === before);
  });

  test("whose home is a path without end does not hold anybody up", async () => {
    const { watched, codex } = onHost();
    const before = kernelWatches();
    const env = { PATH: process.env["PATH"], HOME: codex.home, CODEX_HOME: "/a".repeat(50_000) };
    const started = await run(codex.program, ["-c", "echo; read -r _"], { env, cwd: codex.home });
    await started.line();
    await watched.look();
    expect(kernelWatches()).toBe(before);
  });
});
