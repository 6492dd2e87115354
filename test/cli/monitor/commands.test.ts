import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../host/process/support.ts";
import { HostPlace } from "../terminal/support.ts";

/** A place with a session that copies its input to its output. */
async function withSession() {
  const place = await HostPlace.running();
  const args = ["--workspace", place.folder, "--", "stty -echo; echo ready; exec cat"];
  const session = (await place.print("supervise", "start", ...args)).trim();
  await place.print("supervise", "wait", session, "--pattern", "ready");
  return { place, session };
}

/** The events of a session that have come by now. */
async function eventsOf(place: HostPlace, session: string) {
  const lines = (await place.print("monitor", "events", session, "--json")).split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}

describe("termtopic monitor add", () => {
  test("has a session looked at, and events tells what was found", async () => {
    const { place, session } = await withSession();
    const added = await place.print("monitor", "add", session, "--on", "match", "--text", "ERR*R");
    expect(added).toBe("monitor-1\n");
    const quiet = ["--on", "quiet", "--ms", "10", "--notify", "change"];
    await place.print("monitor", "add", session, ...quiet);
    await place.print("supervise", "write", session, "an ERROR");
    await place.print("supervise", "write", session, "--keys", "enter");
    const found = await until(async () => {
      const events = await eventsOf(place, session);
      return events.length === 2 ? events : undefined;
    });
    expect(found.map(({ monitor_id, reason }) => `${monitor_id} ${reason}`).sort()).toEqual([
      "monitor-1 matched",
      "monitor-2 state_changed",
    ]);
    expect(await place.print("monitor", "events", session)).toMatch(
      /^\d \d{4}-\d\d-\d\dT\S+Z monitor-\d (matched|state_changed) \(running, at \d+\)\n/,
    );
  });

  test("looks at ports and files time and again", async () => {
    const { place, session } = await withSession();
    const server = createServer((socket) => socket.destroy());
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const every = ["--every", "20"];
    await place.print("monitor", "add", session, "--on", "tcp", `127.0.0.1:${port}`, ...every);
    await place.print("monitor", "add", session, "--on", "exists", "done", ...every);
    writeFileSync(join(place.folder, "done"), "");
    const found = await until(async () => {
      const events = await eventsOf(place, session);
      return events.length === 2 ? events : undefined;
    });
    expect(found.map(({ reason }) => reason)).toEqual(["matched", "matched"]);
  });

  test("prints what the wire has, and tells of what the host refuses", async () => {
    const { place, session } = await withSession();
    const document = await place.json("monitor", "add", session, "--on", "exit");
    expect(document).toMatchObject({ success: { monitor: { monitor_id: "monitor-1" } } });
    const { code, stdout, stderr } = await place.run([
      ...["monitor", "add", session, "--on", "exists", "/etc/passwd"],
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("(path_outside_workspace)");
  });

  test("asked wrongly names the option, and where its help is", async () => {
    const place = new HostPlace();
    const { code, stderr } = await place.run(["monitor", "add", "x", "--on", "quiet"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--on quiet needs --ms <milliseconds>, such as --ms 5000; see ");
    expect(stderr).toContain("termtopic monitor add --help");
  });
});

describe("a session", () => {
  test("is meant by its whole id, that of its row, and the beginning of either", async () => {
    const { place, session } = await withSession();
    await place.print("monitor", "add", session, "--on", "exit");
    const hex = session.slice("terminal-n-".length);
    for (const text of [session, `pty:${session}`, session.slice(0, 20), hex.slice(0, 8), hex]) {
      expect(await place.print("monitor", "list", text)).toContain("monitor-1");
    }
  });

  test("that is none, or one of several, is told with those that there are", async () => {
    const { place, session } = await withSession();
    const none = await place.run(["monitor", "list", "zzzz"]);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining(session)]);
    const start = ["supervise", "start", "--workspace", place.folder, "--", "cat"];
    const other = (await place.print(...start)).trim();
    const several = await place.run(["monitor", "list", "term"]);
    expect(several.code).toBe(1);
    expect(several.stderr).toContain(`several sessions are "term": ${session}, ${other}`);
  });
});

test("monitors are listed with what each told of last, until that is acknowledged", async () => {
  const { place, session } = await withSession();
  const interval = ["--notify", "interval", "--interval", "20", "--until", "end"];
  await place.print("monitor", "add", session, "--on", "contains", "a", "--until", "end");
  await place.print("supervise", "write", session, "a");
  await place.print("supervise", "write", session, "--keys", "enter");
  await until(async () => ((await eventsOf(place, session)).length === 1 ? true : undefined));
  // More events than a page has come after that.
  await place.print("monitor", "add", session, "--on", "exit", ...interval);
  await until(async () => ((await eventsOf(place, session)).length > 256 ? true : undefined));
  await place.print("supervise", "monitor", session, "pause", "monitor-2");
  const { monitors } = await place.json("monitor", "list");
  expect(monitors).toMatchObject([
    { monitor_id: "monitor-1", state: "matched", last_event: { event_id: 1, reason: "matched" } },
    { monitor_id: "monitor-2", state: "paused", last_event: { reason: "paused" } },
  ]);
  expect(await place.print("monitor", "list")).toMatch(
    / monitor-2 +paused +paused \d{4}-\S+Z *\n$/,
  );
  await place.print("monitor", "events", session, "--acknowledge");
  expect(await place.json("monitor", "list")).toMatchObject({
    monitors: [{ last_event: null }, { last_event: null }],
  });
});

test("monitors are listed of one session and of all, and taken away", async () => {
  const { place, session } = await withSession();
  expect(await place.print("monitor", "list")).toBe("");
  for (const text of ["a", "b"]) {
    await place.print("monitor", "add", session, "--on", "contains", text);
  }
  const monitors = ["monitor-1", "monitor-2"].map((monitor_id) => ({
    session_id: session,
    monitor_id,
    state: "active",
    last_event: null,
  }));
  for (const which of [[], [session]]) {
    expect(await place.json("monitor", "list", ...which)).toEqual({ monitors });
    const table = await place.print("monitor", "list", ...which);
    expect(table).toMatch(/^SESSION +MONITOR +STATE\nterminal-n-\w+ +monitor-1 +active\n/);
  }
  const { code, stderr } = await place.run(["monitor", "rm", session, "monitor-9", "monitor-1"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("(monitor_unavailable)")]);
  expect(await place.json("monitor", "list")).toEqual({ monitors: monitors.slice(1) });
  await place.print("monitor", "rm", session, "monitor-2");
  expect(await place.json("monitor", "list", session)).toEqual({ monitors: [] });
});

describe("termtopic monitor events", () => {
  test("stay until they are acknowledged, and can be read again until then", async () => {
    const { place, session } = await withSession();
    await place.print("monitor", "add", session, "--on", "exit");
    await place.print("monitor", "rm", session, "monitor-1");
    const [event] = await eventsOf(place, session);
    expect(event).toMatchObject({ event_id: 1, reason: "removed" });
    const again = await place.print("monitor", "events", session, "--acknowledge", "--json");
    expect(JSON.parse(again)).toEqual(event);
    expect(await eventsOf(place, session)).toEqual([]);
    expect(await place.print("monitor", "events", session, "--after", "0")).toBe("");
  });

  test("come page after page, as many as there are", async () => {
    const { place, session } = await withSession();
    const check = ["--notify", "interval", "--interval", "10", "--until", "end"];
    for (let count = 0; count < 32; count += 1) {
      await place.print("monitor", "add", session, "--on", "exit", ...check);
    }
    const events = await until(async () => {
      const found = await eventsOf(place, session);
      return found.length > 300 ? found : undefined;
    });
    const ids = events.map(({ event_id }) => event_id);
    expect(ids).toEqual(ids.map((_, index) => ids[0] + index));
  });

  test("are followed as they come, and acknowledged, until the session is closed", async () => {
    const { place, session } = await withSession();
    const program = place.start(["monitor", "events", session, "--follow", "--acknowledge"]);
    await place.print("monitor", "add", session, "--on", "contains", "x", "--notify", "change");
    await place.print("supervise", "write", session, "x");
    await place.print("supervise", "write", session, "--keys", "enter");
    await program.line(/^1 \S+ monitor-1 state_changed \(running/);
    await until(async () => ((await eventsOf(place, session)).length === 0 ? true : undefined));
    await place.print("supervise", "close", session, "--force");
    const { code, stdout, stderr } = await program.ended;
    expect([code, stderr]).toEqual([0, "termtopic: the session is closed\n"]);
    expect(stdout).toContain("monitor-1 session_exit (");
    expect(await eventsOf(place, session)).toEqual([]);
  });

  test("are followed until a signal comes, which is no failure", async () => {
    const { place, session } = await withSession();
    await place.print("monitor", "add", session, "--on", "exit");
    await place.print("monitor", "rm", session, "monitor-1");
    const program = place.start(["monitor", "events", session, "--follow", "--json"]);
    await program.line(/"removed"/);
    program.signal("SIGTERM");
    const { code, stderr } = await program.ended;
    expect([code, stderr]).toEqual([0, ""]);
  });
});
