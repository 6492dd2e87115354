import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ChannelClient } from "../../channel/channel-client.ts";
import { type BuiltHost, buildHost } from "../../hostile/real-host.ts";
import { until } from "../../process/support.ts";
import { Hosts, monitor } from "./hosts.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const COUNT = "n=0; while :; do n=$((n+1)); echo line $n.; sleep 0.005; done";
const LATER = "until [ -e go ]; do sleep 0.02; done";

/** That these are the lines from the first on, none of them left out or there twice. */
function expectLines(text: string): void {
  const numbers = text.match(/line (\d+)\./g) ?? [];
  expect(numbers).toEqual(numbers.map((_, index) => `line ${index + 1}.`));
}

test("five sessions of a host that is killed are the next one's, with their monitors: nothing is read twice or lost, told twice or left out", async () => {
  const hosts = new Hosts(built);
  await hosts.start();
  const counting = await hosts.session(COUNT, {
    initial_monitors: [
      monitor({ kind: "output_contains", pattern: "line 3." }),
      monitor({ kind: "output_contains", pattern: "during the outage" }),
      monitor({ kind: "output_matches", pattern: "line 1.*line 2*line ?00." }),
    ],
  });
  const ending = await hosts.session(`${LATER}; echo last words; touch ended; exit 7`, {
    initial_monitors: [
      monitor({ kind: "exit_code", exit_code: 7 }),
      monitor({ kind: "output_contains", pattern: "words" }),
    ],
  });
  const drawing = await hosts.session(
    "printf '\\033[?1049h\\033[2J\\033[3;5HFULL\\033[31mSCREEN'; exec sleep 987654",
    { initial_monitors: [monitor({ kind: "screen_matches", pattern: "FULL*SCREEN" })] },
  );
  const watched = await hosts.session("echo begun; exec cat", {
    initial_monitors: [
      monitor({ kind: "output_contains", pattern: "begun" }),
      monitor({ kind: "path_exists", path: "go" }, { check_interval_ms: 20 }),
      monitor({ kind: "custom_probe", command: "test -e go", cwd: "." }, { check_interval_ms: 20 }),
      monitor({ kind: "process_exit" }),
      monitor({ kind: "output_quiet", duration_ms: 50 }, { notify: { kind: "every_check" } }),
    ],
  });
  const idle = await hosts.session("echo ready; exec cat", { rows: 30, columns: 100 });
  const closed = await hosts.session("exec cat");
  const all = [counting, ending, drawing, watched, idle];

  await counting.readUntil("line 50.");
  await idle.readUntil("ready");
  await until(async () => (await drawing.told()).length === 1 || undefined);
  await until(async () => (await watched.told()).length === 2 || undefined);
  expect(await watched.told()).toEqual(["monitor-1 state_changed", "monitor-5 check"]);
  await watched.do("monitor", { operation: { kind: "pause", monitor_id: "monitor-4" } });
  const { events } = await watched.inspect();
  await watched.inspect({ acknowledge_event_id: events[0].event_id });
  const channel = await ChannelClient.connect(hosts.place.places.channel);
  const target = { sessionId: "supervisor", target: idle.id };
  await channel.call({ op: "rename", ...target, name: "mine" });
  const seen = await channel.read(target);
  await closed.do("close", { close_policy: "force" });
  const before = await Promise.all(all.map((session) => session.inspect()));
  const listed = (await idle.client.operate({ action: "list" })).success.list.sessions;
  expect(listed.map(({ session_id }: { session_id: string }) => session_id)).toEqual(
    all.map(({ id }) => id),
  );

  await hosts.end();
  writeFileSync(join(hosts.workspace, "go"), "");
  await until(() => existsSync(join(hosts.workspace, "ended")) || undefined);

  const client = await hosts.start();
  for (const session of all) session.client = client;
  const after = await Promise.all(all.map((session) => session.inspect()));
  for (const [index, { session, ...rest }] of before.entries()) {
    const now = after[index];
    expect(now).toMatchObject({ shell: rest.shell, cwd: rest.cwd, command: rest.command });
    expect(now.session).toMatchObject({ backend: "tmux", persistence: "durable" });
    expect(now.session.session_id).toBe(session.session_id);
    expect(now.session.unread_range?.start ?? null).toEqual(
      session.unread_range?.start ?? (now.session.unread_range && session.output_cursor),
    );
    expect(now.session.output_cursor.offset).toBeGreaterThanOrEqual(session.output_cursor.offset);
  }
  const again = (await client.operate({ action: "list" })).success.list.sessions;
  expect(again.map(({ session_id }: { session_id: string }) => session_id).sort()).toEqual(
    all.map(({ id }) => id).sort(),
  );

  // Nothing of the output is missing, and nothing is there twice.
  const at = Number(/.*line (\d+)\./s.exec(counting.text)?.[1]);
  expectLines(await counting.readUntil(`line ${at + 500}.`));
  await until(async () => (await counting.told()).length === 2 || undefined);
  expect(await counting.told()).toEqual(["monitor-1 state_changed", "monitor-3 state_changed"]);

  expect(await ending.wait({ kind: "exit" })).toEqual({ exited: 7 });
  expect(await ending.read()).toBe("last words\r\n");
  await until(async () => (await ending.inspect()).monitors.length === 0 || undefined);
  expect(await ending.told()).toEqual([
    "monitor-2 state_changed",
    "monitor-1 state_changed",
    "monitor-1 session_exit",
    "monitor-2 session_exit",
  ]);

  const { cells, modes } = await drawing.do("screen");
  expect(JSON.stringify(cells)).toContain("FULL");
  expect(modes).toBeDefined();
  expect(await drawing.told()).toEqual(["monitor-1 state_changed"]);
  expect((await drawing.inspect()).monitors).toEqual([
    { monitor_id: "monitor-1", state: "matched" },
  ]);

  await until(async () => (await watched.told()).length >= 4 || undefined);
  const reasons = await watched.told();
  // The first was acknowledged, and the same silence is told of once.
  expect([...reasons].sort()).toEqual(
    [
      "monitor-2 state_changed",
      "monitor-3 state_changed",
      "monitor-4 paused",
      "monitor-5 check",
    ].sort(),
  );
  const told = (await watched.inspect()).events.map(
    ({ event_id }: { event_id: number }) => event_id,
  );
  expect(told).toEqual([2, 3, 4, 5]);
  await watched.do("monitor", { operation: { kind: "remove", monitor_id: "monitor-2" } });
  const added = await watched.do("monitor", {
    operation: { kind: "add", definition: monitor({ kind: "process_exit" }) },
  });
  expect(added.monitor_id).toBe("monitor-6");

  const said = await idle.do("write", { write: { kind: "text", text: "hello\r" } });
  expect(said.accepted_bytes).toBe(6);
  await idle.readUntil("hello\r\nhello");
  expect((await idle.do("screen")).dimensions).toEqual({ rows: 30, columns: 100 });

  const nextChannel = await ChannelClient.connect(hosts.place.places.channel);
  const { id, index, createdAt } = seen.terminal;
  expect(await nextChannel.read(target)).toMatchObject({
    terminal: { id, index, createdAt, name: "mine", sessionId: "supervisor" },
    from: seen.to,
  });

  for (const session of all) await session.do("close", { close_policy: "force" });
  expect(readdirSync(hosts.records)).toEqual([]);
  await hosts.end();
  const last = await hosts.start();
  expect((await last.operate({ action: "list" })).success.list.sessions).toEqual([]);
}, 120_000);

test("what is written down of a session is for its owner alone, and holds none of its variables", async () => {
  const hosts = new Hosts(built, { SECRET_TOKEN: "do-not-keep" });
  await hosts.start();
  const session = await hosts.session("exec cat");
  const path = join(hosts.records, `${session.id}.json`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(hosts.records).mode & 0o777).toBe(0o700);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(hosts.workspace);
  expect(text).not.toContain("do-not-keep");
  await session.do("close", { close_policy: "force" });
});
