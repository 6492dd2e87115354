import { mkdirSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../host/process/support.ts";
import { HostPlace } from "../terminal/support.ts";

// biome-ignore lint/suspicious/noExplicitAny: what is read of a document is what the test expects there.
type Json = any;

/** Does an operation on a place's host, and answers the result. */
async function done(
  place: HostPlace,
  operation: string,
  ...args: readonly string[]
): Promise<Json> {
  const printed = await place.print("supervise", operation, "--json", ...args);
  return JSON.parse(printed).success[operation];
}

const start = async (place: HostPlace, command: string) =>
  (await place.print("supervise", "start", "--workspace", place.folder, "--", command)).trim();

/** How many sockets a process has: its output and its complaints are two. */
const socketsOf = (pid: number) =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => isSocket(`/proc/${pid}/fd/${fd}`)).length;

/** It may be closed by now. */
function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith("socket:");
  } catch {
    return false;
  }
}

describe("start", () => {
  test("starts a host where none runs, and a session in it that outlives the command", async () => {
    const place = new HostPlace();
    const id = await start(place, "echo begun; read");
    expect(id).toMatch(/^terminal-n-[0-9a-f]{32}$/);
    const { sessions } = await done(place, "list");
    expect(sessions).toMatchObject([{ session_id: id, lifecycle: "running", backend: "native" }]);
    const { terminals } = await place.json("ls", "--source", "pty");
    expect(terminals).toMatchObject([{ id: `pty:${id}` }]);
  });

  test("runs words as words in the folder, shell and size that were named, and waits for its end", async () => {
    const place = await HostPlace.running();
    const cwd = join(place.folder, "in");
    mkdirSync(cwd);
    const where = ["--workspace", place.folder, "--cwd", cwd, "--cols", "61", "--rows", "13"];
    const how = ["--shell", "/bin/bash", "--shell-argument=--norc", "--wait", "exit"];
    const printed = await place.print(
      ...["supervise", "start", ...where, ...how],
      ...["--", "sh", "-c", 'echo "$1" "$PWD"; stty size; exit 7', "x", "a  b"],
    );
    const [id = "", how_ = ""] = printed.split("\n");
    expect(how_).toBe("ended with 7");
    const { raw_output } = await done(place, "read", id);
    expect(raw_output).toBe(`a  b ${realpathSync(cwd)}\r\n13 61\r\n`);
    const inspected = await place.print("supervise", "inspect", id);
    expect(inspected).toContain("shell /bin/bash\n");
    expect(inspected).toContain(`cwd ${realpathSync(cwd)}\n`);
  });

  test("says by its exit code that what it waited for did not come in time, and leaves it running", async () => {
    const place = await HostPlace.running();
    const args = ["--wait", "match", "--pattern", "never", "--timeout", "0.05", "--", "cat"];
    const { code, stdout } = await place.run(["supervise", "start", ...args]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^terminal-n-\w+\nnot in time: it showed no match\n$/);
    const { sessions } = await done(place, "list", "--backend", "native");
    expect(sessions).toMatchObject([{ lifecycle: "running" }]);
  });

  test("has monitors that see the first output", async () => {
    const place = await HostPlace.running();
    const monitor = {
      condition: { kind: "output_contains", pattern: "first" },
      notify: { kind: "on_match" },
      lifetime: { kind: "until_session_end" },
    };
    const args = ["--monitor", JSON.stringify(monitor), "--wait", "exit", "--", "echo first"];
    const { session } = await done(place, "start", ...args);
    const { events } = await done(place, "inspect", session.session_id);
    expect(events[0]).toMatchObject({ monitor_id: "monitor-1", reason: "matched" });
  });

  test("is refused in words and by code where the host cannot do it", async () => {
    const place = await HostPlace.running();
    const args = ["supervise", "start", "--workspace", place.folder, "--cwd", "/", "--json"];
    const { code, stdout, stderr } = await place.run(args);
    expect(code).toBe(1);
    const { failure }: Json = JSON.parse(stdout);
    expect(failure).toMatchObject({ action: "start", code: "path_outside_workspace" });
    expect(stderr).toContain("cwd must be within workspace_root");
    expect(stderr).toContain("(path_outside_workspace)");
  });
});

describe("a supervised session", () => {
  test("is typed into in every way", async () => {
    const place = await HostPlace.running();
    const id = await start(place, "stty -echo; exec cat -v");
    const waits = ["--timeout", "60", "--pattern"];
    await place.print("supervise", "wait", id, "quiet");
    expect(await place.print("supervise", "write", id, "one", "two")).toBe("accepted 7 bytes\n");
    await place.print("supervise", "write", id, "--keys", "enter", "arrow_up", "enter");
    await place.print("supervise", "write", id, "--controls", "a", "j");
    await place.print("supervise", "write", `pty:${id}`, "--paste", "pasted");
    await place.print("supervise", "write", id, "--keys", "enter");
    expect(await place.print("supervise", "wait", id, ...waits, "^A\npasted")).toBe("match\n");
    const screen = await place.print("supervise", "screen", id);
    expect(screen).toBe("one two\n^[[A\n^A\npasted\n");
    const { rows, columns } = (await done(place, "screen", id)).dimensions;
    expect([rows, columns]).toEqual([24, 80]);
  });

  test("is read from where the last read ended, from an offset, and in pages to the end", async () => {
    const place = await HostPlace.running();
    const id = await start(place, "head -c 150000 /dev/zero | tr '\\0' x; echo; echo end");
    await place.print("supervise", "wait", id);
    const first = await place.print("supervise", "read", id);
    expect(first).toBe("x".repeat(65_536));
    const rest = `${"x".repeat(150_000 - 65_536)}\r\nend\r\n`;
    expect(await place.print("supervise", "read", id, "--all")).toBe(rest);
    expect(await place.print("supervise", "read", id)).toBe("");
    expect(await place.print("supervise", "read", id, "--from", "150002")).toBe("end\r\n");
    const pages = await place.print("supervise", "read", id, "--from", "0", "--all", "--json");
    const whole = pages.trim().split("\n");
    expect(whole.map((line) => JSON.parse(line).success.read.raw_output).join("")).toBe(
      first + rest,
    );
    const { code, stderr } = await place.run(["supervise", "read", id, "--from", "999999"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("(cursor_gap)")]);
  });

  test("has the size, the signals and the end that it is given", async () => {
    const place = await HostPlace.running();
    const id = await start(place, "cat");
    expect(await place.print("supervise", "resize", id, "100", "40")).toBe(
      "100 columns, 40 rows\n",
    );
    const { dimensions } = await done(place, "resize", id, "90", "30");
    expect(dimensions).toEqual({ rows: 30, columns: 90 });
    expect(await place.print("supervise", "signal", id, "SIGTERM")).toBe("sent terminate\n");
    expect(await place.print("supervise", "wait", id)).toBe("ended by SIGTERM\n");
    const early = await place.run(["supervise", "wait", id, "quiet", "--quiet", "90"]);
    expect([early.code, early.stdout]).toEqual([4, "ended by SIGTERM\n"]);
    expect((await done(place, "close", id, "--force")).policy).toBe("force");
    expect((await done(place, "inspect", id)).session.lifecycle).toBe("closed");
    expect(await place.print("supervise", "list")).toBe("");
  });

  test("has its monitors changed by their definitions", async () => {
    const place = await HostPlace.running();
    const id = await start(place, "cat");
    const definition = JSON.stringify({
      condition: { kind: "process_exit" },
      notify: { kind: "on_match" },
      lifetime: { kind: "until_session_end" },
    });
    const monitor = (...args: readonly string[]) =>
      place.print("supervise", "monitor", id, ...args);
    expect(await monitor("add", "--definition", definition)).toBe("monitor-1\n");
    for (const change of ["pause", "resume"]) await monitor(change, "monitor-1");
    await monitor("update", "monitor-1", "--definition", definition);
    await monitor("remove", "monitor-1");
    const { events, monitors } = await done(place, "inspect", id, "--max", "4");
    expect(monitors).toEqual([]);
    expect(events.map(({ reason }: Json) => reason)).toEqual([
      "paused",
      "resumed",
      "updated",
      "removed",
    ]);
    const later = await done(place, "inspect", id, "--acknowledge", "3", "--max", "1");
    expect(later.events).toMatchObject([{ event_id: 4 }]);
    expect((await done(place, "inspect", id, "--after", "4")).events).toEqual([]);
  });
});

describe("a whole request", () => {
  test("is sent as it stands, and need not say its action again", async () => {
    const place = await HostPlace.running();
    const id = await start(place, "exit 3");
    const wait = { session_id: id, return_when: { kind: "exit" }, wait_ceiling_ms: 60_000 };
    for (const request of [wait, { action: "wait", ...wait }]) {
      const { outcome } = await done(place, "wait", "--request", JSON.stringify(request));
      expect(outcome).toEqual({ exited: 3 });
    }
  });

  test("comes on the input where that is said", async () => {
    const place = await HostPlace.running();
    const program = place.start(["supervise", "list", "--request", "-", "--json"], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    program.child.stdin?.end('{"backend": "native"}');
    const { code, stdout } = await program.ended;
    expect([code, stdout]).toEqual([0, '{"success":{"list":{"sessions":[]}}}\n']);
  });

  test("that no session takes is refused as the wire has it", async () => {
    const place = await HostPlace.running();
    const request = JSON.stringify({ session_id: "x", max_events: 0 });
    const { code, stdout, stderr } = await place.run([
      "supervise",
      "inspect",
      "--json",
      "--request",
      request,
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      kind: "failure",
      code: "terminal_operation_failed",
      message: expect.stringContaining("max_events"),
    });
    expect(stderr).toContain("(terminal_operation_failed)");
  });
});

test("Ctrl-C cancels a wait in the host, and what runs goes on", async () => {
  const place = await HostPlace.running();
  const id = await start(place, "cat");
  const program = place.start(["supervise", "wait", id, "--json"]);
  // A wait has a connection of its own.
  await until(() => socketsOf(program.child.pid ?? 0) >= 4 || undefined);
  program.signal("SIGINT");
  const { code, stdout } = await program.ended;
  expect(code).toBe(4);
  const { session, outcome }: Json = JSON.parse(stdout).success.wait;
  expect([session.lifecycle, outcome]).toEqual(["running", { cancelled: {} }]);
  expect(await place.print("supervise", "list")).toContain(id);
});

test("the host says who it is, and that it is there", async () => {
  const place = await HostPlace.running();
  expect(await place.json("supervise", "ping")).toEqual({ kind: "pong" });
  expect(await place.print("supervise", "ping")).toBe("pong\n");
  const { instance_id, negotiated } = await place.json("supervise", "hello");
  expect(await place.print("supervise", "hello")).toBe(
    `version ${negotiated}\ninstance ${instance_id}\n`,
  );
});
