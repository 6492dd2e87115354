import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isRemoval } from "../../src/contract/rows.ts";
import { COMMAND, Place, type Publisher, Subscriber } from "./support.ts";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("what a publisher says and keeps", () => {
  test("it says where it listens, to people and in the ready file", async () => {
    const place = new Place();
    const { program, ready } = await place.serve();
    expect(ready).toEqual({
      pid: program.child.pid,
      instance: expect.stringMatching(/^[0-9a-f]{32}$/),
      endpoint: `http://127.0.0.1:${ready.port}/`,
      socket: join(place.state, "run", `${ready.instance.slice(0, 8)}.sock`),
      port: expect.any(Number),
    });
    expect(Object.keys(ready)).toEqual(["pid", "instance", "endpoint", "socket", "port"]);
    expect(await program.line(/serves/)).toContain(ready.endpoint);
    const health = await fetch(`${ready.endpoint}healthz`);
    expect(await health.json()).toMatchObject({ status: "ok" });
  });

  test("the token shows only where the output is a terminal", async () => {
    const place = new Place();
    const { program, token } = await place.serve();
    await program.line(/termtopic url/);
    expect(program.stdout + program.stderr).not.toContain(token);
    program.signal("SIGTERM");
    await program.ended;
    const shown = place.onTerminal(`exec ${COMMAND} serve --port 0 --tmux-socket ${place.sockets}`);
    expect(await shown.line(/^Open /)).toMatch(/^Open http:\/\/127\.0\.0\.1:\d+\/#token=/);
    expect(shown.stdout).toContain(token);
    shown.child.stdin?.write("\x03");
    expect((await shown.ended).code).toBe(0);
  });

  test("what it keeps is its owner's alone, and stays over a restart", async () => {
    const place = new Place();
    const first = await place.serve();
    expect(modeOf(place.state)).toBe("700");
    expect(modeOf(join(place.state, "run"))).toBe("700");
    for (const file of ["instance.id", "token"]) {
      expect(modeOf(join(place.state, file))).toBe("600");
    }
    expect(modeOf(first.ready.socket)).toBe("600");
    expect(readFileSync(join(place.state, "instance.id"), "utf8")).toBe(
      `${first.ready.instance}\n`,
    );

    first.program.signal("SIGTERM");
    await first.program.ended;
    const second = await place.serve();
    expect(second.ready.instance).toBe(first.ready.instance);
    expect(second.ready.socket).toBe(first.ready.socket);
    expect(second.token).toBe(first.token);
  });

  test("each start is an epoch of its own", async () => {
    const place = new Place();
    const epochs = new Set<string | undefined>();
    for (const _ of [1, 2]) {
      const publisher = await place.serve();
      const subscriber = await Subscriber.overUnixSocket(publisher);
      epochs.add((await subscriber.message(({ snapshot }) => snapshot === true)).epoch);
      publisher.program.signal("SIGTERM");
      await publisher.program.ended;
    }
    expect(epochs.size).toBe(2);
    for (const epoch of epochs) expect(epoch).toMatch(/^[0-9a-f]{16}$/);
  });

  test("sockets are in the runtime folder that the environment names", async () => {
    const place = new Place();
    const named = join(place.folder, "r");
    const ofTheSession = join(place.folder, "x");
    mkdirSync(ofTheSession);
    const first = await place.serve([], { env: { XDG_RUNTIME_DIR: ofTheSession } });
    expect(first.ready.socket.startsWith(join(ofTheSession, "termtopic"))).toBe(true);
    first.program.signal("SIGTERM");
    await first.program.ended;
    const second = await place.serve([], {
      env: { XDG_RUNTIME_DIR: ofTheSession, TERMTOPIC_RUNTIME_DIR: named },
    });
    expect(second.ready.socket.startsWith(named)).toBe(true);
  });

  test("readings are counted", async () => {
    const place = new Place();
    place.session();
    const publisher = await place.serve();
    const subscriber = await Subscriber.overUnixSocket(publisher);
    await subscriber.message(({ snapshot }) => snapshot === true);
    const metrics = await fetch(`${publisher.ready.endpoint}metrics`, {
      headers: { Authorization: `Bearer ${publisher.token}` },
    });
    expect(await metrics.text()).toMatch(
      /termtopic_reading_seconds_count\{source="tmux",outcome="rows"\} [1-9]/,
    );
  });

  test("it logs nothing while all is well, and JSON lines when asked to", async () => {
    const quiet = new Place();
    const silent = await quiet.serve();
    silent.program.signal("SIGTERM");
    expect((await silent.program.ended).stderr).toBe("");
    const place = new Place();
    const { program } = await place.serve(["--log-level", "info"]);
    program.signal("SIGTERM");
    const lines = (await program.ended).stderr.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toContain("serving");
  });
});

describe("one publisher for a state folder", () => {
  test("a second one is refused and names the first", async () => {
    const place = new Place();
    const { program } = await place.serve();
    const second = await place.run(["serve", "--port", "0"]);
    expect(second.code).toBe(1);
    expect(second.stdout).toBe("");
    expect(second.stderr).toContain(`pid ${program.child.pid}`);
    expect(second.stderr).toContain("TERMTOPIC_STATE_DIR");
  });

  test("one that was killed is replaced, and leaves nothing in the way", async () => {
    const place = new Place();
    const first = await place.serve();
    first.program.signal("SIGKILL");
    await first.program.ended;
    expect(existsSync(first.ready.socket)).toBe(true);
    const second = await place.serve();
    expect(second.ready.pid).not.toBe(first.ready.pid);
    expect(readdirSync(place.state).filter((name) => /publisher/.test(name))).toHaveLength(1);
    const subscriber = await Subscriber.overUnixSocket(second);
    await subscriber.message(({ snapshot }) => snapshot === true);
  });

  test("of several that start at once one serves", async () => {
    const place = new Place();
    const starters = [1, 2, 3, 4].map(() =>
      place.start(["serve", "--port", "0", "--tmux-socket", place.sockets]),
    );
    const outcomes = await Promise.all(
      starters.map((starter) =>
        Promise.race([
          starter.line(/serves/).then(
            () => "serves",
            () => "refused",
          ),
          starter.ended.then(({ code }) => (code === 1 ? "refused" : `ended with ${code}`)),
        ]),
      ),
    );
    expect(outcomes.sort()).toEqual(["refused", "refused", "refused", "serves"]);
  });
});

describe("the end", () => {
  const removed = ({ data }: { data?: { terminals: readonly object[] } }) =>
    data?.terminals.some(isRemoval) === true;

  test("SIGTERM and SIGINT take the rows back and close with 1001", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const place = new Place();
      place.session();
      const publisher = await place.serve();
      const overSocket = await Subscriber.overUnixSocket(publisher);
      const subscriber = await Subscriber.overWebSocket(publisher);
      for (const one of [overSocket, subscriber]) {
        await one.message(({ data }) => data?.terminals.length === 1);
      }
      publisher.program.signal(signal);
      expect((await publisher.program.ended).code).toBe(0);
      expect(await subscriber.closed).toBe(1001);
      await overSocket.closed;
      for (const one of [overSocket, subscriber]) {
        expect(one.messages.find(removed)?.data?.terminals).toEqual([
          expect.objectContaining({ removed: true, reason: "instance_stopped" }),
        ]);
        expect(one.messages.some(({ ev }) => ev === "restarting")).toBe(false);
      }
      expect(existsSync(place.readyFile)).toBe(false);
      expect(existsSync(publisher.ready.socket)).toBe(false);
    }
  });

  test("SIGHUP announces a restart, keeps the rows and closes with 1012", async () => {
    const place = new Place();
    place.session();
    const publisher = await place.serve();
    const subscriber = await Subscriber.overWebSocket(publisher);
    await subscriber.message(({ data }) => data?.terminals.length === 1);
    publisher.program.signal("SIGHUP");
    expect((await publisher.program.ended).code).toBe(0);
    expect(await subscriber.closed).toBe(1012);
    expect(subscriber.messages.some(({ ev }) => ev === "restarting")).toBe(true);
    expect(subscriber.messages.some(removed)).toBe(false);
  });

  test("a second signal does not wait for those who do not close", async () => {
    const place = new Place();
    const publisher = await place.serve(["--log-level", "info"]);
    await holdOpen(publisher);
    publisher.program.signal("SIGTERM");
    await publisher.program.until(() => /"stopping"/.exec(publisher.program.stderr) ?? undefined);
    publisher.program.signal("SIGINT");
    expect((await publisher.program.ended).code).toBe(1);
  });

  test("the same signal twice at once is one, as npm passes on what Ctrl-C sent already", async () => {
    const place = new Place();
    const { program } = await place.serve();
    program.signal("SIGINT");
    program.signal("SIGINT");
    expect((await program.ended).code).toBe(0);
  });

  test("a fault that nobody caught is logged and ends it with 1", async () => {
    const place = new Place();
    const fault = 'process.once("SIGUSR2", () => { throw new Error("out of the blue"); });';
    const { program } = await place.serve([], {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` },
    });
    program.signal("SIGUSR2");
    const { code, stderr } = await program.ended;
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ level: 60, err: { message: "out of the blue" } });
  });
});

describe("what is refused", () => {
  test("a port that is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await new Place().run(["serve", "--port", String(port)]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`port ${port}`)]);
  });

  test("an address that others can reach, unless that is asked for", async () => {
    const place = new Place();
    const refused = await place.run(["serve", "--port", "0", "--host", "0.0.0.0"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--public")]);
    expect(existsSync(place.state)).toBe(false);
    const { ready } = await place.serve(["--host", "0.0.0.0", "--public"]);
    expect(ready.endpoint).toBe(`http://127.0.0.1:${ready.port}/`);
  });

  test("a state folder that cannot be made", async () => {
    const place = new Place();
    const file = join(place.folder, "file");
    writeFileSync(file, "");
    for (const folder of [join(file, "state"), "/proc/nowhere/state", file]) {
      const { code, stderr } = await place.run(["serve", "--port", "0"], {
        env: { TERMTOPIC_STATE_DIR: folder },
      });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^termtopic: the state folder .* must .*TERMTOPIC_STATE_DIR\n$/);
    }
  });

  test("a state folder that others can write to", async () => {
    const place = new Place();
    mkdirSync(place.state);
    chmodSync(place.state, 0o777);
    const { code, stderr } = await place.run(["serve", "--port", "0"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("chmod go-w")]);
  });

  test("a path that no socket can have", async () => {
    const place = new Place();
    const { code, stderr } = await place.run(["serve", "--port", "0"], {
      env: { TERMTOPIC_RUNTIME_DIR: join(place.folder, "long".repeat(30)) },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("TERMTOPIC_RUNTIME_DIR")]);
  });

  test("a ready file that cannot be written, before anybody is served", async () => {
    const place = new Place();
    const path = join(place.folder, "none", "ready");
    const { code, stdout, stderr } = await place.run([
      "serve",
      "--port",
      "0",
      "--ready-file",
      path,
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`--ready-file ${path}`);
  });
});

/** A WebSocket whose client answers nothing, also not that it is to close. */
async function holdOpen({ ready, token }: Publisher): Promise<void> {
  const opening = request({
    host: "127.0.0.1",
    port: ready.port,
    path: "/ws",
    headers: {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": Buffer.alloc(16).toString("base64"),
      "Sec-WebSocket-Protocol": "ccmsg.v1",
      Authorization: `Bearer ${token}`,
    },
  });
  opening.end();
  const [, socket] = await once(opening, "upgrade");
  socket.on("error", () => {});
  onTestFinished(() => socket.destroy());
}
