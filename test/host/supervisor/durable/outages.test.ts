import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type BuiltHost, buildHost } from "../../hostile/real-host.ts";
import { isAlive, until } from "../../process/support.ts";
import { Hosts, monitor, type Remote } from "./hosts.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const pidIn = (text: string) => Number(/pid (\d+)\./.exec(text)?.[1]);

async function states(session: Remote): Promise<string[]> {
  const { monitors } = await session.inspect();
  return monitors.map(({ monitor_id, state }: { monitor_id: string; state: string }) =>
    [monitor_id, state].join(" "),
  );
}

test("however often a host is killed in the midst of it, each of many events is told of once", async () => {
  const hosts = new Hosts(built);
  await hosts.start();
  const numbers = Array.from({ length: 30 }, (_, index) => 40 * (index + 1));
  const session = await hosts.session(
    "n=0; while [ $n -lt 1300 ]; do n=$((n+1)); echo line $n.; sleep 0.002; done; exec sleep 987654",
    {
      initial_monitors: numbers.map((number) =>
        monitor({ kind: "output_contains", pattern: `line ${number}.` }),
      ),
    },
  );
  const seen: { event_id: number; monitor_id: string; reason: string }[] = [];
  for (const until of [200, 500, 800, 1_100, 1_300]) {
    await session.readUntil(`line ${until}.`);
    const { events } = await session.inspect();
    seen.push(...events);
    const last = events.at(-1);
    // What was acknowledged must not come once more.
    if (last !== undefined) await session.inspect({ acknowledge_event_id: last.event_id });
    await hosts.end();
    session.client = await hosts.start();
  }
  await until(async () => {
    const { events } = await session.inspect();
    return seen.length + events.length >= 30 || undefined;
  });
  seen.push(...(await session.inspect()).events);
  expect(seen.map(({ event_id }) => event_id)).toEqual(numbers.map((_, index) => index + 1));
  expect(seen.map(({ monitor_id, reason }) => `${monitor_id} ${reason}`)).toEqual(
    numbers.map((_, index) => `monitor-${index + 1} state_changed`),
  );
  const lines = (await session.read()).match(/line (\d+)\./g) ?? [];
  expect(lines).toEqual(Array.from({ length: 1_300 }, (_, index) => `line ${index + 1}.`));
}, 120_000);

describe("a host that is asked to end", () => {
  test("spares sessions in tmux and ends the others, and the next one goes on with them", async () => {
    const hosts = new Hosts(built);
    const client = await hosts.start();
    const session = await hosts.session("echo pid $$.; exec cat", {
      initial_monitors: [monitor({ kind: "output_contains", pattern: "later" })],
    });
    const native = { ...hosts.command("echo pid $$.; exec cat"), backend: "native" };
    const started = (await client.operate(native)).success.start.session;
    expect(started).toMatchObject({ backend: "native", persistence: "process" });
    await session.readUntil("pid ");
    const pid = pidIn(session.text);
    await hosts.end("SIGTERM");
    expect(isAlive(pid)).toBe(true);
    session.client = await hosts.start();
    const { sessions } = (await session.client.operate({ action: "list" })).success.list;
    expect(sessions).toMatchObject([{ session_id: session.id, lifecycle: "running" }]);
    await session.do("write", { write: { kind: "text", text: "later\r" } });
    await until(async () => (await session.told()).length === 1 || undefined);
    await session.do("close", { close_policy: "graceful" });
    expect(isAlive(pid)).toBe(false);
  });

  test("ends by itself where sessions need it no more than that: it stays for their monitors", async () => {
    const soon = await buildHost(join(import.meta.dirname, "program/soon-idle-host.ts"));
    onTestFinished(soon.remove);
    const hosts = new Hosts(soon);
    const client = await hosts.start();
    const session = await hosts.session("until [ -e go ]; do sleep 0.02; done; echo go; exec cat", {
      initial_monitors: [
        monitor({ kind: "output_contains", pattern: "go" }, { lifetime: { kind: "until_match" } }),
      ],
    });
    client.socket.destroy();
    session.client.socket.destroy();
    await Promise.all([client.closed, session.client.closed]);
    // While it looks for something it is there to tell it.
    writeFileSync(join(hosts.workspace, "go"), "");
    expect(await hosts.ended()).toBe(0);
    session.client = await hosts.start(built);
    expect(await session.told()).toEqual(["monitor-1 state_changed"]);
    expect(await session.facts()).toMatchObject({ lifecycle: "running", active_monitor_count: 0 });
  }, 60_000);
});

test("a close ends what a session has left in the background, also with the next host, and nothing else", async () => {
  const hosts = new Hosts(built);
  await hosts.start();
  const left = "(nohup sleep 987654 >/dev/null 2>&1 & echo pid $!.); exec cat";
  const sessions = [await hosts.session(left), await hosts.session(left)];
  for (const session of sessions) await session.readUntil("pid ");
  const [first, second] = sessions;
  await first?.do("close", { close_policy: "graceful" });
  expect(isAlive(pidIn(first?.text ?? ""))).toBe(false);
  await hosts.end();
  const client = await hosts.start();
  expect(isAlive(pidIn(second?.text ?? ""))).toBe(true);
  if (second !== undefined) second.client = client;
  await second?.do("close", { close_policy: "force" });
  await until(() => !isAlive(pidIn(second?.text ?? "")) || undefined);
}, 60_000);

describe("a session whose tmux is gone", () => {
  async function begun() {
    const hosts = new Hosts(built);
    await hosts.start();
    const session = await hosts.session("echo some output; exec cat", {
      initial_monitors: [
        monitor({ kind: "process_exit" }),
        monitor({ kind: "exit_code", exit_code: 0 }),
      ],
    });
    await session.wait({ kind: "match", pattern: "some output" });
    return { hosts, session, server: hosts.server(session) };
  }

  async function expectLost(session: Remote): Promise<void> {
    const facts = await session.facts();
    expect(facts).toMatchObject({ lifecycle: "lost", backend: "tmux" });
    expect(facts.next_actions).toMatchObject({
      read: true,
      write: false,
      monitor: false,
      close: true,
    });
    expect(await session.wait({ kind: "exit" })).toEqual({ signal: "session_lost" });
    expect(await session.read()).toContain("some output");
    // Nobody knows how it ended, so no condition on that is met.
    expect(await session.told()).toEqual(["monitor-1 session_exit", "monitor-2 session_exit"]);
    await session.do("close", { close_policy: "graceful" });
  }

  test("is lost, which a wait is told of, and can be read and closed", async () => {
    const { hosts, session, server } = await begun();
    const waiting = session.wait({ kind: "exit" });
    process.kill(server, "SIGKILL");
    expect(await waiting).toEqual({ signal: "session_lost" });
    await expectLost(session);
    expect(readdirSync(hosts.records)).toEqual([]);
    // The next one has a server of its own.
    const next = await hosts.session("echo again; exec cat");
    await next.readUntil("again");
  });

  test("while no host was there is lost to the next one", async () => {
    const { hosts, session, server } = await begun();
    await hosts.end();
    process.kill(server, "SIGKILL");
    await until(() => !isAlive(server) || undefined);
    session.client = await hosts.start();
    await expectLost(session);
  });
});

describe("what is written down and cannot be made out", () => {
  async function begun(damage: (path: string) => void) {
    const hosts = new Hosts(built);
    await hosts.start();
    const session = await hosts.session("echo some output; exec cat", {
      initial_monitors: [monitor({ kind: "output_contains", pattern: "some" })],
    });
    const other = await hosts.session("exec cat", {
      initial_monitors: [monitor({ kind: "process_exit" })],
    });
    await session.wait({ kind: "match", pattern: "some output" });
    await hosts.end();
    damage(join(hosts.records, `${session.id}.json`));
    const client = await hosts.start();
    session.client = client;
    other.client = client;
    // It concerns nobody else.
    expect(await states(other)).toEqual(["monitor-1 active"]);
    return { hosts, session };
  }

  test.each<[string, (path: string) => void]>([
    ["cut off", (path) => truncateSync(path, 200)],
    ["empty", (path) => truncateSync(path, 0)],
    ["no text", (path) => writeFileSync(path, Buffer.alloc(100_000, 0xff))],
    ["gone", (path) => rmSync(path)],
    [
      "a folder",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      "a link",
      (path) => {
        rmSync(path);
        symlinkSync("/etc/passwd", path);
      },
    ],
  ])(
    "(%s) leaves its session without monitors, which the host says, and takes nothing else of it",
    async (_, damage) => {
      const { hosts, session } = await begun(damage);
      expect(await session.inspect()).toMatchObject({
        monitors: [],
        events: [],
        cwd: hosts.workspace,
        session: { session_id: session.id, lifecycle: "running" },
      });
      expect(await session.read()).toContain("some output");
      await until(
        () => hosts.said.includes(`the session ${session.id} cannot be made out`) || undefined,
      );
      const added = await session.do("monitor", {
        operation: {
          kind: "add",
          definition: monitor({ kind: "output_contains", pattern: "next" }),
        },
      });
      expect(added.monitor_id).toBe("monitor-1");
      await session.do("write", { write: { kind: "text", text: "next\r" } });
      await until(async () => (await session.told()).length === 1 || undefined);
      await session.do("close", { close_policy: "force" });
    },
  );

  test("of its monitors alone leaves everything else as it was", async () => {
    const { hosts, session } = await begun((path) => {
      const record = JSON.parse(readFileSync(path, "utf8"));
      record.monitors.monitors[0].checked.definition.condition.kind = "unheard_of";
      writeFileSync(path, JSON.stringify(record));
    });
    const { command, monitors, shell } = await session.inspect();
    expect({ command, monitors, shell }).toEqual({
      command: "echo some output; exec cat",
      monitors: [],
      shell: "/bin/bash",
    });
    await until(() => hosts.said.includes("monitors of the session") || undefined);
  });
});

test("what is written down of a session that is not there, nor its output, is taken away", async () => {
  const hosts = new Hosts(built);
  await hosts.start();
  const session = await hosts.session("exec cat");
  await hosts.end();
  const server = hosts.server(session);
  hosts.tmux("kill-server");
  await until(() => !isAlive(server) || undefined);
  const log = join(hosts.place.places.tmux, "logs", session.id);
  await until(() => existsSync(join(log, "end")) || undefined);
  rmSync(log, { recursive: true });
  const client = await hosts.start();
  expect((await client.operate({ action: "list" })).success.list.sessions).toEqual([]);
  expect(readdirSync(hosts.records)).toEqual([]);
});

test("a tmux server that does not answer keeps no host from answering, and nothing of its sessions is forgotten", async () => {
  const hosts = new Hosts(built);
  await hosts.start();
  const session = await hosts.session("exec cat", {
    initial_monitors: [monitor({ kind: "process_exit" })],
  });
  await hosts.end();
  const server = hosts.server(session);
  process.kill(server, "SIGSTOP");
  onTestFinished(() => void process.kill(server, "SIGCONT"));
  const client = await hosts.start();
  expect((await client.operate({ action: "list" })).success.list.sessions).toEqual([]);
  const native = { ...hosts.command("echo ok"), backend: "native" };
  expect((await client.operate(native)).success.start.session.backend).toBe("native");
  await hosts.end();
  process.kill(server, "SIGCONT");
  session.client = await hosts.start();
  expect(await states(session)).toEqual(["monitor-1 active"]);
}, 60_000);

describe("a host that has no tmux", () => {
  function path(hosts: Hosts, version: string | undefined): string {
    const folder = join(hosts.workspace, "bin");
    mkdirSync(folder);
    if (version !== undefined) {
      writeFileSync(join(folder, "tmux"), `#!/bin/sh\necho '${version}'\n`, { mode: 0o755 });
    }
    return folder;
  }

  test.each([
    ["at all", undefined, "There is no tmux on the PATH"],
    ["that is new enough", "tmux 3.1c", 'says "tmux 3.1c"'],
  ])("%s refuses a start there with words, and starts others", async (_, version, words) => {
    const hosts = new Hosts(built);
    hosts.place.env["PATH"] = path(hosts, version);
    const client = await hosts.start();
    const { failure } = await client.operate(hosts.command("exec cat"));
    expect(failure).toMatchObject({ action: "start", code: "unsupported_host", retryable: false });
    expect(failure.message).toContain(words);
    const native = { ...hosts.command("echo ok"), backend: "native" };
    expect((await client.operate(native)).success.start.session.backend).toBe("native");
    expect(readdirSync(hosts.place.places.folder)).not.toContain("supervisor");
  });

  test("any more says that it cannot take sessions over, and keeps what is written down for one that can", async () => {
    const hosts = new Hosts(built);
    const usual = hosts.place.env["PATH"];
    await hosts.start();
    const session = await hosts.session("exec cat", {
      initial_monitors: [monitor({ kind: "process_exit" })],
    });
    await hosts.end();
    hosts.place.env["PATH"] = path(hosts, undefined);
    const without = await hosts.start();
    expect((await without.operate({ action: "list" })).success.list.sessions).toEqual([]);
    await until(() => hosts.said.includes("cannot be taken over now") || undefined);
    await hosts.end();
    hosts.place.env["PATH"] = usual;
    session.client = await hosts.start();
    expect(await states(session)).toEqual(["monitor-1 active"]);
  });
});
