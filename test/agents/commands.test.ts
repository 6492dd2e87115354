import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSource } from "../../src/agents/commands.ts";
import type { ProcessInfo } from "../../src/processes/types.ts";
import { temporaryFolder } from "../inventory/unit/support.ts";
import { processInfo } from "../lib/fake-table.ts";
import { run } from "../processes/support.ts";
import { onFakeHost, onThisHost } from "./watched.ts";

const HOME = "/home/ann";

const onHost = (...commands: string[]) =>
  onFakeHost((host) => new CommandSource({ ...host, commands }));

function set(
  { table }: Pick<ReturnType<typeof onHost>, "table">,
  pid: number,
  argv: string[],
  rest: { info?: Partial<ProcessInfo>; cwd?: string | null; home?: string | null } = {},
) {
  const { cwd = "/src", home = HOME } = rest;
  return table.set(processInfo(pid, rest.info), {
    argv,
    ...(cwd === null ? {} : { cwd: { path: cwd, deleted: false } }),
    environment: home === null ? {} : { HOME: home },
  });
}

describe("a process of a named command", () => {
  test("is a run without a session", async () => {
    const host = onHost("aider", "goose");
    const { startTick } = set(host, 10, ["/usr/local/bin/aider", "--model", "x"]);
    set(host, 11, ["goose"]);
    set(host, 12, ["vim", "aider"]);
    await host.watched.see();
    expect(host.watched.pids).toEqual([10, 11]);
    expect(host.watched.run(10)).toEqual({
      pid: 10,
      startTick,
      cwd: "/src",
      kind: "interactive",
      startedAt: host.table.startedAt({ pid: 10, startTick }),
      configDir: HOME,
    });
  });

  test("is one run together with its launcher", async () => {
    const host = onHost("aider");
    set(host, 10, ["node", "/usr/bin/aider"]);
    set(host, 11, ["/opt/aider"], { info: { parent: 10 } });
    await host.watched.see();
    expect(host.watched.pids).toEqual([11]);
  });

  test("is no run where its directory or its home cannot be read", async () => {
    const host = onHost("aider");
    set(host, 10, ["aider"], { cwd: null });
    set(host, 11, ["aider"], { home: null });
    await host.watched.see();
    expect(host.watched.finding).toEqual({ kind: "absent" });
  });

  test("is stated where it is now, until it ends", async () => {
    const host = onHost("aider");
    set(host, 10, ["aider"]);
    set(host, 11, ["aider"]);
    await host.watched.see();
    set(host, 10, ["aider"], { cwd: "/other" });
    host.table.end(11);
    host.source.tick();
    expect(host.watched.runs).toMatchObject([{ pid: 10, cwd: "/other" }]);
    set(host, 10, ["aider"], { info: { startTick: "99999" } });
    host.source.tick();
    expect(host.watched.finding).toEqual({ kind: "absent" });
  });
});

describe("the source of commands", () => {
  test("is absent while none of them runs", async () => {
    const host = onHost("aider");
    await host.source.read();
    host.source.tick();
    expect(host.watched.readings).toEqual([]);
    set(host, 10, ["sh"]);
    await host.watched.see();
    expect(host.watched.finding).toEqual({ kind: "absent" });
  });

  test("is failing where the system tells nothing of the processes that there are", async () => {
    const host = onHost("aider");
    Object.assign(host.table, { kind: "ps", limited: "no_proc" });
    set(host, 10, ["aider"], { cwd: null });
    await host.watched.see();
    expect(host.watched.finding).toMatchObject({ kind: "failing", fault: { code: "no_proc" } });
  });

  test("keeps what it stated where processes cannot be read for want of descriptors", async () => {
    const host = onHost("aider");
    set(host, 10, ["aider"]);
    await host.watched.see();
    host.table.read = () => {
      throw new Error("EMFILE");
    };
    host.source.tick();
    expect(host.watched.finding).toEqual({
      kind: "failing",
      fault: { code: "processes_unreadable", msg: "EMFILE" },
    });
  });

  test.each(["claude", "codex"])("takes no %s, whose runs have a session", (name) => {
    expect(() => onHost("aider", name)).toThrow(RangeError);
    expect(() => onHost("aider", name)).toThrow(`got "${name}"`);
  });

  test("says nothing any more when it is stopped, and begins anew when it is started", async () => {
    const host = onHost("aider");
    set(host, 10, ["aider"]);
    await host.watched.see();
    host.source.stop();
    const said = host.watched.readings.length;
    host.source.tick();
    await host.watched.see();
    expect(host.watched.readings.length).toBe(said);
    host.watched.start();
    host.source.tick();
    expect(host.watched.readings.length).toBe(said);
    await host.watched.see();
    expect(host.watched.pids).toEqual([10]);
  });
});

describe.skipIf(process.platform !== "linux")("on this host", () => {
  test("a program, and a script that a shell runs, are runs by their names", async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "bin"));
    const [program, script] = [join(home, "bin", "aider"), join(home, "bin", "goose")];
    copyFileSync("/bin/sh", program);
    writeFileSync(script, "#!/bin/sh\necho ready\nread -r _\n", { mode: 0o755 });
    const options = { env: { PATH: process.env["PATH"], HOME: home }, cwd: home };
    const started = [
      await run(program, ["-c", "echo ready; read -r _"], options),
      await run(script, [], options),
      await run("/bin/sh", ["-c", "echo ready; read -r _", "aider"], options),
    ];
    for (const one of started) await one.line();
    const { watched } = onThisHost(
      (host) => new CommandSource({ ...host, commands: ["aider", "goose"] }),
      home,
    );
    await watched.see();
    const stated = new Map(watched.runs.map(({ pid, cwd }) => [pid, cwd]));
    expect(stated).toEqual(new Map(started.slice(0, 2).map(({ pid }) => [pid, home])));
  });
});
