import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Place } from "./support.ts";
import { HostPlace } from "./terminal/support.ts";

const OPEN = ["open", "--detach", "--exec", "--", "sleep", "60"];

const placeOf = () => {
  const place = new Place();
  const folder = join(place.state, "run/host");
  return { place, folder };
};

test("host keeps terminals in the foreground until a signal ends it", async () => {
  const { place, folder } = placeOf();
  const host = place.start(["host"]);
  expect(await host.line(/keeps terminals/)).toBe(`termtopic keeps terminals in ${folder}`);
  const socket = connect(join(folder, "channel.sock"));
  const [greeting] = (await once(socket, "data")) as [Buffer];
  expect(JSON.parse(greeting.subarray(5).toString("utf8"))).toMatchObject({
    type: "hello",
    pid: host.child.pid,
    running: 0,
  });
  host.signal("SIGTERM");
  expect(await host.ended).toMatchObject({ code: 0, stderr: "" });
});

test("a second host is refused, and says which one runs", async () => {
  const { place } = placeOf();
  const host = place.start(["host"]);
  await host.line(/keeps terminals/);
  const { code, stderr } = await place.run(["host"]);
  expect(code).toBe(1);
  expect(stderr).toContain(`a terminal host runs in`);
  expect(stderr).toContain(`pid ${host.child.pid}`);
});

test("--idle says how long it stays where nobody needs it", async () => {
  const { place } = placeOf();
  const host = place.start(["host", "--idle", "0.1"]);
  await host.line(/keeps terminals/);
  expect(await host.ended).toMatchObject({ code: 0, stderr: "" });
  for (const wrong of ["0", "soon", "-1"]) {
    const { code, stderr } = await place.run(["host", `--idle=${wrong}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--idle must be a number of seconds above 0, got "${wrong}"`);
  }
});

test("--max-terminals says how many terminals it holds, and goes before its variable", async () => {
  const { place } = placeOf();
  for (const text of ["0", "1025", "1e2", "-1"]) {
    const { code, stderr } = await place.run(["host", `--max-session-terminals=${text}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `--max-session-terminals must be an integer from 1 to 1024, got "${text}"`,
    );
  }
  const env = { TERMTOPIC_MAX_TERMINALS: "7", TERMTOPIC_MAX_SESSION_TERMINALS: "" };
  const host = place.start(["host", "--max-terminals", "2"], { env });
  await host.line(/keeps terminals/);
  expect(await place.run(OPEN)).toMatchObject({ code: 0, stderr: "" });
  expect((await place.run(OPEN)).stderr).toContain(
    "the session has as many terminals as it may, 1;",
  );
  host.signal("SIGTERM");
  expect(await host.ended).toMatchObject({ code: 0 });
});

test("a host that a command starts takes its limits from the environment", async () => {
  const place = new HostPlace();
  const open = (limit: string) =>
    place.run(OPEN, { env: { TERMTOPIC_MAX_SESSION_TERMINALS: limit } });
  const wrong = await open("many");
  expect(wrong).toMatchObject({ code: 1, stdout: "" });
  expect(wrong.stderr).toContain(
    'TERMTOPIC_MAX_SESSION_TERMINALS must be an integer from 1 to 1024, got "many"',
  );
  expect(await open("1")).toMatchObject({ code: 0, stderr: "" });
  expect((await open("1")).stderr).toContain("--max-session-terminals");
});

test("the publisher states the host as a source, and its instance is the same", async () => {
  const { place, folder } = placeOf();
  const none = JSON.parse((await place.run(["ls", "--json", "--source", "pty"])).stdout);
  expect(none.sources).toMatchObject([{ scheme: "pty", status: "absent" }]);
  const host = place.start(["host"]);
  await host.line(/keeps terminals/);
  const { stdout } = await place.run(["ls", "--json", "--source", "pty"]);
  expect(JSON.parse(stdout).sources).toMatchObject([{ scheme: "pty", status: "ok" }]);

  const socket = connect(join(folder, "topics.sock"));
  socket.write('{"op":"hello.user","request_id":"1","protocol_version":4}\n');
  const [reply] = (await once(socket, "data")) as [Buffer];
  const instance = readFileSync(join(place.state, "instance.id"), "utf8").trim();
  expect(JSON.parse(reply.toString("utf8"))).toMatchObject({ ok: true, instance });
  socket.destroy();
});

test.each([
  ["host", ["host", "--log-level", "info"], /keeps terminals/],
  ["serve", ["serve", "--port", "0", "--log-level", "info"], /serves/],
])(
  "%s goes on where its log cannot be written, because no space is left",
  async (_, args, begun) => {
    const { place } = placeOf();
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    const program = place.start(args, { stdio: ["ignore", "pipe", full] });
    await program.line(begun);
    // It says in its log that it stops.
    program.signal("SIGTERM");
    expect((await program.ended).code).toBe(0);
  },
);
