import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../process/support.ts";
import { idOf, onEachBackend } from "./backends.ts";
import { type Client, type Served, serveSupervisor } from "./served-supervisor.ts";

const EXIT = { return_when: { kind: "exit" }, wait_ceiling_ms: 60_000 };
const match = (pattern: string) => ({
  return_when: { kind: "match", pattern },
  wait_ceiling_ms: 60_000,
});

async function begun(): Promise<{ served: Served; client: Client }> {
  const served = await serveSupervisor();
  return { served, client: served.connect() };
}

const codeOf = (result: { code?: string; failure?: { code: string } }) =>
  result.code ?? result.failure?.code;

/** Everything that a session has written, read page by page. */
async function readAll(client: Client, session_id: string): Promise<string> {
  let text = "";
  let cursor = { segment: 1, offset: 0 };
  for (;;) {
    const { read } = (
      await client.operate({
        action: "read",
        session_id,
        cursor_segment: cursor.segment,
        cursor_offset: cursor.offset,
      })
    ).success;
    if (read.raw_range === null) return text;
    text += read.raw_output;
    cursor = read.raw_range.end;
  }
}

onEachBackend(() => {
  test("start answers the session and how its wait ended", async () => {
    const { served, client } = await begun();
    const { session, outcome } = (await client.operate(served.start("echo hi; exit 3", EXIT)))
      .success.start;
    expect(outcome).toEqual({ exited: 3 });
    expect(session).toEqual({
      session_id: expect.stringMatching(idOf(served.backend)),
      lifecycle: "exited",
      attention: { attention: "background", write_lease: "none" },
      backend: served.backend,
      persistence: served.backend === "native" ? "process" : "durable",
      output_cursor: { segment: 1, offset: 4 },
      unread_range: { start: { segment: 1, offset: 0 }, end: { segment: 1, offset: 4 } },
      raw_gap: null,
      screen_recovery: { unavailable: "missing" },
      active_monitor_count: 0,
      next_actions: {
        read: true,
        screen: true,
        write: false,
        wait: true,
        monitor: true,
        inspect: true,
        list: true,
        resize: false,
        signal: false,
        close: true,
      },
    });
    expect(served.host.terminals.get(session.session_id)?.options.sessionId).toBe("supervisor");
    const ended = await client.operate(served.start("kill -KILL $$", EXIT));
    expect(ended.success.start.outcome).toEqual({ signal: "SIGKILL" });
  });

  test("a start that waits for nothing answers at once, and text as JSON beside the value", async () => {
    const { served, client } = await begun();
    client.begin(served.start("sleep 600"));
    const { output } = await client.next();
    expect(output.structured.success.start.outcome).toEqual({ started: {} });
    expect(JSON.parse(output.content)).toEqual(output.structured);
    expect(output).toMatchObject({ is_error: false, truncated: false });
    expect(output.original_bytes).toBe(Buffer.byteLength(output.content));
  });

  test.each<[string, (served: Served) => object, string]>([
    ["cwd outside the workspace", ({ folder }) => ({ cwd: folder }), "path_outside_workspace"],
    [
      "cwd that a symbolic link leads outside",
      ({ workspace }) => {
        symlinkSync("/", join(workspace, "way-out"));
        return { cwd: join(workspace, "way-out/tmp") };
      },
      "path_outside_workspace",
    ],
    [
      "a sibling whose name begins like the workspace",
      ({ workspace }) => {
        mkdirSync(`${workspace}-2`);
        return { cwd: `${workspace}-2` };
      },
      "path_outside_workspace",
    ],
    [
      "a workspace that is not there",
      () => ({ workspace_root: "/no/such" }),
      "terminal_operation_failed",
    ],
    ["a relative cwd", () => ({ cwd: "." }), "terminal_operation_failed"],
    ["a shell of another name", () => ({ shell: "/bin/sh" }), "terminal_operation_failed"],
    ["a relative shell", () => ({ shell: "bash" }), "terminal_operation_failed"],
    ["a shell that is not there", () => ({ shell: "/no/such/bash" }), "shell_unavailable"],
    ["arguments without the command", () => ({ arguments: [] }), "terminal_operation_failed"],
    [
      "arguments with another command",
      () => ({ arguments: ["-c", "id"] }),
      "terminal_operation_failed",
    ],
    [
      "-c without a command",
      () => ({ command: null, arguments: ["-c"] }),
      "terminal_operation_failed",
    ],
    [
      "65 arguments",
      () => ({ command: null, arguments: Array(65).fill("x") }),
      "terminal_operation_failed",
    ],
    [
      "arguments of over 64 KiB",
      () => ({ command: null, arguments: ["x".repeat(65_537)] }),
      "terminal_operation_failed",
    ],
    [
      "a NUL in the command",
      () => ({ command: "a\0", arguments: ["-c", "a\0"] }),
      "terminal_operation_failed",
    ],
    ["no rows", () => ({ rows: 0 }), "terminal_operation_failed"],
    ["4097 columns", () => ({ columns: 4_097 }), "terminal_operation_failed"],
    ["262 145 cells", () => ({ rows: 4_096, columns: 65 }), "terminal_operation_failed"],
    [
      "a wait without a ceiling",
      () => ({ return_when: { kind: "exit" } }),
      "terminal_operation_failed",
    ],
    ["a ceiling of 0", () => ({ ...EXIT, wait_ceiling_ms: 0 }), "terminal_operation_failed"],
    [
      "quiet of 0 ms",
      () => ({ ...EXIT, return_when: { kind: "quiet", duration_ms: 0 } }),
      "terminal_operation_failed",
    ],
    ["an empty pattern", () => match(""), "terminal_operation_failed"],
    ["a pattern of over 4096 bytes", () => match("x".repeat(4_097)), "terminal_operation_failed"],
    ["a sandbox profile that is none", () => ({ sandbox_profile: "[]" }), "unsupported_host"],
  ])("a start with %s is refused and starts nothing", async (_, more, code) => {
    const { served, client } = await begun();
    expect(codeOf(await client.operate(served.start("sleep 600", more(served))))).toBe(code);
    expect(served.host.terminals.all).toEqual([]);
  });

  test("the thirty-third session is refused with capacity_exceeded, which may succeed later", async () => {
    const { served } = await begun();
    const clients = Array.from({ length: 33 }, () => served.connect());
    const results = await Promise.all(
      clients.map((client) => client.operate(served.start("sleep 600"))),
    );
    const refused = results.filter(({ failure }) => failure !== undefined);
    expect(refused.map(({ failure }) => failure)).toMatchObject([
      { action: "start", code: "capacity_exceeded", session_id: null, retryable: true },
    ]);
  });

  test("a session that is not there is not found, and one that was closed can be inspected only", async () => {
    const { served, client } = await begun();
    const none = { action: "screen", session_id: "terminal-n-0" };
    client.begin(none);
    const { output } = await client.next();
    expect(output.is_error).toBe(true);
    expect(output.structured.failure).toMatchObject({
      action: "screen",
      code: "session_not_found",
      session_id: "terminal-n-0",
      retryable: false,
    });
    const { session_id } = (await client.operate(served.start("sleep 600"))).success.start.session;
    const closed = (await client.operate({ action: "close", session_id, close_policy: "graceful" }))
      .success.close;
    expect(closed).toMatchObject({ policy: "graceful", session: { lifecycle: "closed" } });
    expect((await client.operate({ action: "list" })).success.list.sessions).toEqual([]);
    expect(codeOf(await client.operate({ ...none, session_id }))).toBe("invalid_lifecycle");
    expect(
      codeOf(await client.operate({ action: "close", session_id, close_policy: "force" })),
    ).toBe("invalid_lifecycle");
    const { inspect } = (await client.operate({ action: "inspect", session_id, max_events: 9 }))
      .success;
    expect(inspect).toMatchObject({
      session: { lifecycle: "closed" },
      shell: "/bin/bash",
      cwd: served.workspace,
      command: "sleep 600",
      monitors: [],
      events: [],
      event_gap_through: null,
      next_event_id: 1,
    });
  });

  test("a session that a client of the channel closes is closed for the supervisor too", async () => {
    const { served, client } = await begun();
    const { session_id } = (await client.operate(served.start("sleep 600"))).success.start.session;
    client.begin({ action: "wait", session_id, ...EXIT });
    await client.ask({ kind: "ping" });
    const terminal = served.host.terminals.get(session_id);
    if (terminal === undefined) throw new Error("no terminal");
    await served.host.close(terminal);
    const { outcome } = (await client.result()).success.wait;
    expect(outcome).toEqual({ signal: expect.stringMatching(/^(closed|SIGHUP)$/) });
    expect((await client.operate({ action: "list" })).success.list.sessions).toEqual([]);
  });

  test("read pages hold whole characters, fit their frames and are all that was written", async () => {
    const { served, client } = await begun();
    const command = `i=0; while [ $i -lt 400 ]; do printf '%0.s\\033\\001"\\\\ä€😀' {1..64}; i=$((i+1)); done`;
    const { session } = (await client.operate(served.start(command, EXIT))).success.start;
    const all = await readAll(client, session.session_id);
    expect(all).toBe('\x1b\x01"\\ä€😀'.repeat(64 * 400));
  });

  test("a character that is cut is held back until it is whole, and told as it is at the end", async () => {
    const { served, client } = await begun();
    const command = "stty -echo; printf 'a\\xe2\\x82'; read line; printf '\\xac\\xe2'";
    const { session } = (await client.operate(served.start(command, match("a")))).success.start;
    const { session_id } = session;
    const read = (offset: number) =>
      client.operate({ action: "read", session_id, cursor_segment: 1, cursor_offset: offset });
    await until(() => (served.host.terminals.get(session_id)?.ring.end === 3 ? true : undefined));
    expect((await read(0)).success.read).toMatchObject({
      raw_output: "a",
      raw_range: { start: { segment: 1, offset: 0 }, end: { segment: 1, offset: 1 } },
    });
    expect((await read(1)).success.read).toMatchObject({ raw_output: "", raw_range: null });
    await client.operate({ action: "write", session_id, write: { kind: "keys", keys: ["enter"] } });
    await client.operate({ action: "wait", session_id, ...EXIT });
    expect((await read(1)).success.read.raw_output).toBe("€\ufffd");
  });

  test("a cursor of another segment or beyond the output is a cursor_gap", async () => {
    const { served, client } = await begun();
    const { session } = (await client.operate(served.start("echo hi", EXIT))).success.start;
    for (const [segment, offset] of [
      [0, 0],
      [2, 0],
      [1, 5],
    ]) {
      const read = { action: "read", session_id: session.session_id };
      const result = await client.operate({
        ...read,
        cursor_segment: segment,
        cursor_offset: offset,
      });
      expect(result.failure).toMatchObject({ code: "cursor_gap", retryable: false });
    }
  });

  test("output that is no longer kept is a gap, and a cursor there is refused", async () => {
    const { served, client } = await begun();
    const flood = served.start("head -c 9000000 /dev/zero | tr '\\0' x", EXIT);
    const { session } = (await client.operate(flood)).success.start;
    expect(session.raw_gap).toEqual({
      missing_from: { segment: 1, offset: 0 },
      available_from: { segment: 1, offset: 9_000_000 - 8 * 1024 * 1024 },
    });
    const read = { action: "read", session_id: session.session_id, cursor_segment: 1 };
    expect(codeOf(await client.operate({ ...read, cursor_offset: 0 }))).toBe("cursor_gap");
  });

  test("reading moves no cursor of the channel, and none of the channel moves this one", async () => {
    const { served, client } = await begun();
    const { session } = (await client.operate(served.start("echo hi", EXIT))).success.start;
    const terminal = served.host.terminals.get(session.session_id);
    if (terminal === undefined) throw new Error("no terminal");
    served.host.cursors.move(terminal, 2);
    const read = { action: "read", session_id: session.session_id, cursor_segment: 1 };
    expect(
      (await client.operate({ ...read, cursor_offset: 0 })).success.read.session,
    ).toMatchObject({
      unread_range: null,
    });
    expect(served.host.cursors.of(terminal)).toBe(2);
  });

  test("an ended session is no longer written to, resized or signalled", async () => {
    const { served, client } = await begun();
    const { session } = (await client.operate(served.start("true", EXIT))).success.start;
    const { session_id } = session;
    for (const operation of [
      { action: "write", write: { kind: "text", text: "a" } },
      { action: "resize", rows: 10, columns: 10 },
      { action: "signal", signal: "kill" },
    ]) {
      expect(codeOf(await client.operate({ ...operation, session_id }))).toBe("invalid_lifecycle");
    }
  });

  test("text, keys, controls and pastes reach the program as bytes", async () => {
    const { served, client } = await begun();
    const command = "stty raw -echo; printf ready; exec od -An -v -tx1 -w1";
    const { session } = (await client.operate(served.start(command, match("ready")))).success.start;
    const { session_id } = session;
    const write = async (write: object) =>
      (await client.operate({ action: "write", session_id, write })).success.write.accepted_bytes;
    expect(await write({ kind: "text", text: "é" })).toBe(2);
    expect(await write({ kind: "keys", keys: ["arrow_up", "backspace", "delete", "enter"] })).toBe(
      9,
    );
    expect(await write({ kind: "controls", controls: [0x3f, 0x61, 0x41, 0x5f] })).toBe(4);
    expect(await write({ kind: "paste", text: "x\x1b[201~y\n" })).toBe(3);
    const wanted = Buffer.from("é\x1b[A\x7f\x1b[3~\r\x7f\x01\x01\x1fxy\r");
    const terminal = served.host.terminals.get(session_id);
    const hex = await until(() => {
      const text = terminal?.ring.copy(5, terminal.ring.end).toString() ?? "";
      const seen = text.split(/\s+/).filter((word) => word !== "");
      return seen.length >= wanted.length ? seen.join("") : undefined;
    });
    expect(hex).toBe(wanted.toString("hex"));
  });

  test("arrows and pastes are sent as the program has asked for them", async () => {
    const { served, client } = await begun();
    const command = "stty raw -echo; printf '\\033[?1h\\033[?2004hready'; exec cat -v";
    const { session } = (await client.operate(served.start(command, match("ready")))).success.start;
    const { session_id } = session;
    const write = { action: "write", session_id };
    await client.operate({ ...write, write: { kind: "keys", keys: ["arrow_up"] } });
    await client.operate({ ...write, write: { kind: "paste", text: "x" } });
    const seen = await client.operate({
      action: "wait",
      session_id,
      ...match("^[OA^[[200~x^[[201~"),
    });
    expect(seen.success.wait.outcome).toEqual({ condition_met: {} });
  });

  test.each([
    ["no text", { kind: "text", text: "" }],
    ["text of over 64 KiB", { kind: "text", text: "x".repeat(65_537) }],
    ["no keys", { kind: "keys", keys: [] }],
    ["4097 keys", { kind: "keys", keys: Array(4_097).fill("tab") }],
    ["a control that is none", { kind: "controls", controls: [0x31] }],
  ])("a write of %s is refused", async (_, write) => {
    const { served, client } = await begun();
    const { session } = (await client.operate(served.start("sleep 600"))).success.start;
    const { session_id } = session;
    expect(codeOf(await client.operate({ action: "write", session_id, write }))).toBe(
      "terminal_operation_failed",
    );
  });

  test("resize answers the size that the program has", async () => {
    const { served, client } = await begun();
    const command = "trap 'stty size' WINCH; echo ready; while :; do sleep 0.1; done";
    const { session } = (await client.operate(served.start(command, match("ready")))).success.start;
    const { session_id } = session;
    const { resize } = (
      await client.operate({ action: "resize", session_id, rows: 7, columns: 33 })
    ).success;
    expect(resize.dimensions).toEqual({ rows: 7, columns: 33 });
    const seen = await client.operate({ action: "wait", session_id, ...match("7 33") });
    expect(seen.success.wait.outcome).toEqual({ condition_met: {} });
    const bad = await client.operate({ action: "resize", session_id, rows: 0, columns: 33 });
    expect(bad.failure.code).toBe("invalid_request");
  });

  test("interrupt goes to the job in front, and terminate to everything that runs", async () => {
    const { served, client } = await begun();
    const shell = { command: null, arguments: ["--norc", "-i"], ...match("bash-") };
    const { session } = (await client.operate(served.start("", shell))).success.start;
    const { session_id } = session;
    const text = "(trap 'echo got-it; exit' INT; echo rea''dy; while :; do sleep 0.05; done)\r";
    await client.operate({ action: "write", session_id, write: { kind: "text", text } });
    await client.operate({ action: "wait", session_id, ...match("ready") });
    await client.operate({ action: "signal", session_id, signal: "interrupt" });
    const seen = await client.operate({ action: "wait", session_id, ...match("\ngot-it") });
    expect(seen.success.wait.outcome).toEqual({ condition_met: {} });
    const { signal } = (await client.operate({ action: "signal", session_id, signal: "kill" }))
      .success;
    expect(signal.signal).toBe("kill");
    const { outcome } = (await client.operate({ action: "wait", session_id, ...EXIT })).success
      .wait;
    expect(outcome).toEqual({ signal: "SIGKILL" });
  });

  test("list answers the sessions of a backend", async () => {
    const { served, client } = await begun();
    const { session_id } = (await client.operate(served.start("sleep 600"))).success.start.session;
    const listed = async (backend: string) =>
      (await client.operate({ action: "list", backend })).success.list.sessions;
    const other = served.backend === "native" ? "tmux" : "native";
    expect(await listed(served.backend)).toMatchObject([{ session_id }]);
    expect(await listed(other)).toEqual([]);
  });

  test("a session has an environment of a terminal's own", async () => {
    const { served, client } = await begun();
    const { session } = (await client.operate(served.start("echo $TERM", EXIT))).success.start;
    expect(await readAll(client, session.session_id)).toBe("xterm-256color\r\n");
  });
});
