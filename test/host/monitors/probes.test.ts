import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { MonitorCondition } from "../../../src/host/monitors/definition.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { until } from "../../processes/support.ts";
import { partsOf, ScriptedSession } from "./scripted-session.ts";

let root: string;
let session: ScriptedSession;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "tt-probes-")));
  session = new ScriptedSession(systemClock, { root });
});

afterEach(() => {
  session.become("closed");
  rmSync(root, { recursive: true });
});

const EVERY: { check_interval_ms: number } = { check_interval_ms: 10 };
const poll = (condition: MonitorCondition) => session.add(condition, EVERY);
/** Tells of each check. */
const watch = (condition: MonitorCondition) =>
  session.add(condition, { ...EVERY, notify: { kind: "every_check" } });
const checks = (count: number) => until(() => session.told.length >= count);
const matched = () => until(() => session.states[0] === "monitor-1 matched");
const stays = async () => {
  const before = session.told.length;
  await checks(before + 3);
  expect(session.states[0]).toBe("monitor-1 active");
};

/** Listens on a port of its own until the test is over. */
async function serve(take: (socket: Socket) => void, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    take(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return portOf(server);
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** One that nobody listens on, and nobody else is given soon. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("tcp_ready", () => {
  test("is met once somebody listens", async () => {
    const port = await freePort();
    await watch({ kind: "tcp_ready", host: "127.0.0.1", port });
    await stays();
    await serve(() => {}, port);
    await matched();
  });

  test("tries the addresses of a name", async () => {
    const port = await serve(() => {});
    await poll({ kind: "tcp_ready", host: "localhost", port });
    await matched();
  });

  test("is not met by a name without addresses", async () => {
    await watch({ kind: "tcp_ready", host: "no.such.host.invalid", port: 1 });
    await checks(1);
    expect(session.states).toEqual(["monitor-1 active"]);
  });
});

describe("http_ready", () => {
  test.each(["200 OK", "404 Not Found", "503 Busy"])("is met by the answer %s", async (status) => {
    const asked: string[] = [];
    const port = await serve((socket) =>
      socket.once("data", (bytes) => {
        asked.push(bytes.toString());
        socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
      }),
    );
    await poll({ kind: "http_ready", pattern: `http://127.0.0.1:${port}/health?a=b#c` });
    await matched();
    expect(asked[0]).toContain(`GET /health?a=b HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
  });

  test("is met by an answer that comes byte by byte", async () => {
    const port = await serve(async (socket) => {
      for (const byte of "HTTP/1.0 200\r\n") {
        if (!socket.destroyed) socket.write(byte);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    await poll({ kind: "http_ready", pattern: `http://127.0.0.1:${port}` });
    await matched();
  });

  test.each([
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["an answer without an end of its first line", "x".repeat(20_000)],
    ["no answer", ""],
  ])("is not met by %s", async (_, answer) => {
    const port = await serve((socket) => socket.end(answer));
    await watch({ kind: "http_ready", pattern: `http://127.0.0.1:${port}/` });
    await stays();
  });

  test("is not met by a server that says nothing for 500 ms", async () => {
    const port = await serve(() => {});
    await watch({ kind: "http_ready", pattern: `http://127.0.0.1:${port}/` });
    await checks(1);
    expect(session.states).toEqual(["monitor-1 active"]);
  });
});

describe("paths", () => {
  test("that exist are met, in whatever way they came", async () => {
    await watch({ kind: "path_exists", path: "inner/file" });
    await stays();
    mkdirSync(join(root, "inner"));
    await stays();
    writeFileSync(join(root, "inner/file"), "");
    await matched();
  });

  test("that were written since the monitor was defined have changed", async () => {
    writeFileSync(join(root, "file"), "a");
    await watch({ kind: "path_changed", path: join(root, "file") });
    await stays();
    utimesSync(join(root, "file"), 1, 1);
    await matched();
  });

  test("that came, went or were replaced have changed", async () => {
    writeFileSync(join(root, "goes"), "a");
    writeFileSync(join(root, "replaced"), "a");
    writeFileSync(join(root, "new"), "a");
    utimesSync(join(root, "replaced"), 5, 5);
    utimesSync(join(root, "new"), 5, 5);
    for (const path of ["comes", "goes", "replaced"]) await poll({ kind: "path_changed", path });
    writeFileSync(join(root, "comes"), "");
    rmSync(join(root, "goes"));
    renameSync(join(root, "new"), join(root, "replaced"));
    await until(() => session.states.every((state) => state.endsWith(" matched")));
  });

  test("that change between the definition and the adding have changed", async () => {
    const checked = await session.check({ kind: "path_changed", path: "file" }, EVERY);
    writeFileSync(join(root, "file"), "");
    session.monitors.add(checked);
    await matched();
  });

  test("of so many bytes are met", async () => {
    await watch({ kind: "path_size", path: "file", minimum_bytes: 3 });
    writeFileSync(join(root, "file"), "12");
    await stays();
    writeFileSync(join(root, "file"), "123");
    await matched();
  });

  test("that lead out of the workspace by now are not met", async () => {
    await watch({ kind: "path_exists", path: "inner/passwd" });
    symlinkSync("/etc", join(root, "inner"));
    await stays();
    rmSync(join(root, "inner"));
    mkdirSync(join(root, "inner"));
    writeFileSync(join(root, "inner/passwd"), "");
    await matched();
  });
});

describe("custom_probe", () => {
  const probe = (command: string, cwd = ".") => watch({ kind: "custom_probe", command, cwd });

  test("is met by a command that exits with 0, in its folder", async () => {
    mkdirSync(join(root, "inner"));
    await probe("test -e file", "inner");
    await stays();
    writeFileSync(join(root, "inner/file"), "");
    await matched();
  });

  test("has the session's environment and no input", async () => {
    await probe(`test -z "$HOME" && test -n "$PATH" && ! read -r _`);
    await matched();
  });

  test.each([
    ["that exits with 1", "exit 1"],
    ["that a signal ends", "kill -9 $$"],
    ["that is none", "no-such-command-here"],
    ["that says more than 16 KiB", "head -c 20000 /dev/zero"],
  ])("is not met by a command %s", async (_, command) => {
    await probe(command);
    await checks(1);
    expect(session.states).toEqual(["monitor-1 active"]);
  });

  test("is ended after two seconds with all that it started", async () => {
    await probe(`sleep 987654 & echo $! > pid; wait`);
    await checks(1);
    expect(session.states).toEqual(["monitor-1 active"]);
    const pid = await pidIn("pid");
    await until(() => !isAlive(pid));
  });

  test("leaves nothing of its process group behind when it has ended", async () => {
    await poll({
      kind: "custom_probe",
      command: "sleep 987654 > /dev/null 2>&1 & echo $! > pid",
      cwd: ".",
    });
    await matched();
    const pid = await pidIn("pid");
    await until(() => !isAlive(pid));
  });

  test("is ended when its monitor is removed", async () => {
    await probe("echo $$ > pid; exec sleep 987654");
    const pid = await pidIn("pid");
    session.monitors.remove("monitor-1");
    await until(() => !isAlive(pid));
    expect(session.told).toEqual(["monitor-1 removed"]);
  });

  test("is not met in another folder that has taken its folder's place", async () => {
    mkdirSync(join(root, "inner"));
    await watch({ kind: "custom_probe", command: "test -e file", cwd: "inner" });
    await stays();
    renameSync(join(root, "inner"), join(root, "before"));
    mkdirSync(join(root, "inner"));
    writeFileSync(join(root, "inner/file"), "");
    await stays();
    rmSync(join(root, "inner"), { recursive: true });
    renameSync(join(root, "before"), join(root, "inner"));
    writeFileSync(join(root, "inner/file"), "");
    await matched();
  });
});

describe("a slow probe", () => {
  test("delays no other monitor", async () => {
    const port = await serve(() => {});
    await poll({ kind: "custom_probe", command: "exec sleep 987654", cwd: "." });
    await poll({ kind: "http_ready", pattern: `http://127.0.0.1:${port}/` });
    await poll({ kind: "tcp_ready", host: "192.0.2.1", port: 9 });
    await session.add({ kind: "output_contains", pattern: "ready" });
    await session.add({ kind: "path_exists", path: "." }, EVERY);
    session.write("ready");
    await until(() => session.told.length === 2);
    expect(session.told.sort()).toEqual(["monitor-4 matched", "monitor-5 matched"]);
    expect(session.states.slice(0, 3)).toEqual([
      "monitor-1 active",
      "monitor-2 active",
      "monitor-3 active",
    ]);
  });

  test("lets its intervals go by, and none of them is made up for", async () => {
    await watch({ kind: "custom_probe", command: "echo run >> runs; exec sleep 987654", cwd: "." });
    await checks(1);
    // In two seconds lie 200 intervals; the next one may have begun by now.
    expect(readFileSync(join(root, "runs"), "utf8").split("\n").length - 1).toBeLessThan(3);
  });

  test("of a paused monitor has no say", async () => {
    await poll({ kind: "custom_probe", command: "echo $$ > pid; read -r _ < gate", cwd: "." });
    const pid = await pidIn("pid");
    session.monitors.pause("monitor-1");
    await until(() => !isAlive(pid));
    expect(session.states).toEqual(["monitor-1 paused"]);
  });
});

test("300 monitors that poll share one timer", async () => {
  const clock = new FakeClock();
  const parts = partsOf(clock);
  const sessions = Array.from({ length: 10 }, () => new ScriptedSession(clock, { root, parts }));
  for (const one of sessions) {
    for (let index = 0; index < 30; index += 1) {
      await one.add({ kind: "path_exists", path: "file" }, { check_interval_ms: 1_000 + index });
    }
  }
  expect(clock.pending).toBe(1);
  for (const one of sessions) one.become("closed");
  expect(clock.pending).toBe(0);
});

async function pidIn(file: string): Promise<number> {
  let pid = 0;
  await until(() => {
    try {
      pid = Number(readFileSync(join(root, file), "utf8"));
    } catch {
      // It is not there yet.
    }
    return pid > 0;
  });
  return pid;
}

/** Whether it has not ended, whoever is to take note of that. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat[stat.lastIndexOf(")") + 2] !== "Z";
  } catch {
    return false;
  }
}
