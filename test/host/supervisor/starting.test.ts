import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PtyUnavailable } from "../../../src/host/pty/unavailable.ts";
import { onEachBackend } from "./backends.ts";
import { type Served, serveSupervisor } from "./served-supervisor.ts";
import { codeOf, EXIT, match, SupervisedSession } from "./supervised-session.ts";

const MONITOR = {
  condition: { kind: "output_contains", pattern: "x" },
  notify: { kind: "on_match" },
  lifetime: { kind: "until_session_end" },
};
const plain = { command: null, arguments: ["--norc"] };
const command = (bytes: number) => {
  const text = `: ${"x".repeat(bytes - 2)}`;
  return { command: text, arguments: ["-c", text] };
};

onEachBackend(() => {
  test.each<[string, object]>([
    ["64 arguments", { command: null, arguments: Array(64).fill("--norc") }],
    ["a command of 65 536 bytes", command(65_536)],
    ["no command and no -c", plain],
    ["1 row and 1 column", { rows: 1, columns: 1 }],
    ["4 096 rows and 64 columns, the most cells", { rows: 4_096, columns: 64 }],
    ["64 rows and 4 096 columns, the most cells", { rows: 64, columns: 4_096 }],
    ["32 initial monitors", { initial_monitors: Array(32).fill(MONITOR) }],
    [
      "the fields left out that may be null",
      { sandbox_profile: undefined, return_when: undefined },
    ],
    ["no ceiling where it waits for nothing", { return_when: { kind: "started" } }],
    ["a ceiling of 0 where it waits for nothing", { wait_ceiling_ms: 0 }],
    ["a pattern of 4 096 bytes", { ...match(`${"é".repeat(2_047)}xy`), wait_ceiling_ms: 1 }],
  ])("a start with %s is done", async (_, more) => {
    const session = await SupervisedSession.start("sleep 600", more);
    expect(session.started.outcome).not.toHaveProperty("cancelled");
    expect(session.terminal.size).toEqual({
      rows: 24,
      cols: 80,
      ...("rows" in more && "columns" in more ? { rows: more.rows, cols: more.columns } : {}),
    });
  });

  test.each<[string, object, string]>([
    ["a command of 65 537 bytes", command(65_537), "terminal_operation_failed"],
    ["a NUL in an argument", { command: null, arguments: ["a\0b"] }, "terminal_operation_failed"],
    ["a NUL in the shell", { shell: "/bin\0/bash" }, "terminal_operation_failed"],
    ["a NUL in the workspace", { workspace_root: "/tmp\0" }, "terminal_operation_failed"],
    ["no columns", { columns: 0 }, "terminal_operation_failed"],
    ["4 097 rows", { rows: 4_097 }, "terminal_operation_failed"],
    ["a relative workspace", { workspace_root: "work" }, "terminal_operation_failed"],
    ["a file as workspace", { workspace_root: "/etc/passwd" }, "terminal_operation_failed"],
    ["a cwd that is not there", { cwd: "/no/such/folder" }, "terminal_operation_failed"],
    [
      "a sandbox profile of 65 537 bytes",
      { sandbox_profile: "x".repeat(65_537) },
      "terminal_operation_failed",
    ],
    [
      "-c and nothing after it",
      { command: "id", arguments: ["id", "-c"] },
      "terminal_operation_failed",
    ],
    [
      "a match without a ceiling",
      { return_when: { kind: "match", pattern: "x" } },
      "terminal_operation_failed",
    ],
    [
      "quiet without a ceiling",
      { return_when: { kind: "quiet", duration_ms: 1 } },
      "terminal_operation_failed",
    ],
    ["an unknown backend", { backend: "screen" }, "invalid_request"],
    ["rows that no 16 bits hold", { rows: 65_536 }, "invalid_request"],
  ])("a start with %s is refused and starts nothing", async (_, more, code) => {
    const served = await serveSupervisor();
    const refused = await served.connect().operate(served.start("sleep 600", more));
    expect(codeOf(refused)).toBe(code);
    expect(served.host.terminals.all).toEqual([]);
  });

  test("zsh is a shell as bash is, and one that may not be run or is a folder is unavailable", async () => {
    const served = await serveSupervisor();
    const client = served.connect();
    const folder = join(served.folder, "shells");
    mkdirSync(folder);
    const zsh = join(folder, "zsh");
    writeFileSync(zsh, "#!/bin/sh\necho it is zsh $1 $2\n");
    const start = {
      shell: zsh,
      command: "id",
      arguments: ["-c", "id"],
      ...match("it is zsh -c id"),
    };
    expect(codeOf(await client.operate(served.start("id", start)))).toBe("shell_unavailable");
    mkdirSync(join(folder, "bash"));
    const folderStart = served.start("id", { ...start, shell: join(folder, "bash") });
    expect(codeOf(await client.operate(folderStart))).toBe("shell_unavailable");
    chmodSync(zsh, 0o755);
    const { outcome } = (await client.operate(served.start("id", start))).success.start;
    expect(outcome).not.toHaveProperty("safety_ceiling");
  });

  test("a session whose initial monitors cannot be added is closed by force and never seen", async () => {
    const served = await serveSupervisor({}, (open) => (session) => {
      const monitors = open(session);
      monitors.add = () => {
        throw new Error("no room");
      };
      return monitors;
    });
    const client = served.connect();
    const start = served.start("trap '' HUP TERM; sleep 600", { initial_monitors: [MONITOR] });
    expect(await client.operate(start)).toMatchObject({
      code: "terminal_operation_failed",
      message: expect.stringContaining("no room"),
    });
    expect(served.host.terminals.all).toEqual([]);
    expect((await client.operate({ action: "list" })).success.list.sessions).toEqual([]);
  });

  test("sessions that have ended count among the 32, and closing one makes room", async () => {
    const served = await serveSupervisor();
    const client = served.connect();
    const first = (await client.operate(served.start("true", EXIT))).success.start.session;
    for (let count = 1; count < 32; count += 1) await client.operate(served.start("sleep 600"));
    expect((await client.operate(served.start("true"))).failure.code).toBe("capacity_exceeded");
    const { session_id } = first;
    await client.operate({ action: "close", session_id, close_policy: "force" });
    expect((await client.operate(served.start("true"))).success.start).toBeDefined();
    const { sessions } = (await client.operate({ action: "list" })).success.list;
    expect(sessions).toHaveLength(32);
    expect(sessions.map((one: { session_id: string }) => one.session_id)).not.toContain(session_id);
  }, 30_000);
});

const failing = (error: Error) =>
  serveSupervisor({
    spawn: () => {
      throw error;
    },
  });

async function refusedBy(served: Served) {
  const { failure } = await served.connect().operate(served.start("sleep 600"));
  expect(served.host.terminals.all).toEqual([]);
  expect((await served.connect().operate({ action: "list" })).success.list.sessions).toEqual([]);
  return failure;
}

test("where no terminal can be had a start is refused as pty_unavailable, with what to do", async () => {
  const why = "No terminal can be opened: install node-pty";
  expect(await refusedBy(await failing(new PtyUnavailable(why)))).toEqual({
    action: "start",
    code: "pty_unavailable",
    session_id: null,
    retryable: false,
    message: why,
  });
});

test("a program that cannot be started is refused as startup_failed, with the reason", async () => {
  expect(await refusedBy(await failing(new Error("posix_spawn failed: out of memory")))).toEqual({
    action: "start",
    code: "startup_failed",
    session_id: null,
    retryable: false,
    message: expect.stringContaining("out of memory"),
  });
});
