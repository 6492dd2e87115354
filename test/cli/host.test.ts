import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "./support.ts";

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
