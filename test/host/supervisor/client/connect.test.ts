import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  connectSupervisor,
  encodeFrame,
  LOCAL_HELLO,
} from "../../../../src/host/supervisor/index.ts";
import { FakeClock } from "../../../lib/fake-clock.ts";
import { serveSupervisor } from "../served-supervisor.ts";
import { GREETING, ScriptedHost } from "./peer.ts";

describe("connecting to a supervisor", () => {
  test("agrees on a version, and says which start of the host it is", async () => {
    const { path } = await serveSupervisor();
    const [one, other] = await Promise.all([
      connectSupervisor({ path }),
      connectSupervisor({ path }),
    ]);
    expect(one.greeting).toMatchObject({ hello: LOCAL_HELLO, negotiated: 6 });
    expect(one.greeting.instance_id).toMatch(/^[0-9a-f]{32}$/);
    expect(other.greeting).toEqual(one.greeting);
    await one.ping();
    for (const connection of [one, other]) connection.close();
  });

  test("understands a hello that comes byte by byte", async () => {
    const host = await ScriptedHost.listen();
    const connecting = connectSupervisor({ path: host.path });
    const peer = await host.accept();
    expect(await peer.next()).toEqual({ kind: "hello", hello: LOCAL_HELLO });
    for (const byte of encodeFrame(GREETING)) {
      await new Promise((resolve) => peer.socket.write(Buffer.of(byte), resolve));
    }
    const connection = await connecting;
    expect(connection.greeting).toEqual(GREETING);
    connection.close();
    await peer.ended;
  });

  test("looks in the runtime folder where no path is given, and fails where nobody listens", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tt-supervisor-"));
    const { TERMTOPIC_RUNTIME_DIR: before } = process.env;
    process.env["TERMTOPIC_RUNTIME_DIR"] = folder;
    onTestFinished(() => {
      if (before === undefined) delete process.env["TERMTOPIC_RUNTIME_DIR"];
      else process.env["TERMTOPIC_RUNTIME_DIR"] = before;
      rmSync(folder, { recursive: true });
    });
    await expect(connectSupervisor()).rejects.toMatchObject({
      name: "SupervisorError",
      reason: "unreachable",
      code: undefined,
      retryable: false,
      message: expect.stringContaining(join(folder, "host/supervisor.sock")),
    });
  });

  test("fails where the hello does not come in time", async () => {
    const host = await ScriptedHost.listen();
    const clock = new FakeClock();
    const connecting = connectSupervisor({ path: host.path, timeoutMs: 700, clock });
    connecting.catch(() => {});
    const peer = await host.accept();
    await peer.next();
    await clock.advance(700);
    await expect(connecting).rejects.toMatchObject({ reason: "silent" });
    await peer.ended;
  });

  test("is given up by its signal", async () => {
    const host = await ScriptedHost.listen();
    const giveUp = new AbortController();
    const connecting = connectSupervisor({ path: host.path, signal: giveUp.signal });
    const peer = await host.accept();
    giveUp.abort(new Error("changed my mind"));
    await expect(connecting).rejects.toThrow("changed my mind");
    await peer.ended;
    const { signal } = giveUp;
    await expect(connectSupervisor({ path: host.path, signal })).rejects.toThrow("my mind");
  });

  test.each([
    ["a frame of no bytes", Buffer.of(0, 0, 0, 0)],
    ["another protocol", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["what is no JSON", Buffer.from("\0\0\0\x01{")],
    ["what is no answer", encodeFrame({ kind: "hello" })],
    ["an answer to something else", encodeFrame({ kind: "pong" })],
    ["versions of which none is common", hello({ minimum: 7, current: 9 })],
    ["versions that are none", hello({ minimum: 6, current: 5 })],
    ["that it has no frames of JSON", hello({ capabilities: 14 })],
    ["a version that was not agreed on", encodeFrame({ ...GREETING, negotiated: 5 })],
  ])("fails where the host says %s", async (_, bytes) => {
    const host = await ScriptedHost.listen();
    const connecting = connectSupervisor({ path: host.path });
    connecting.catch(() => {});
    const peer = await host.accept();
    peer.socket.write(bytes);
    await expect(connecting).rejects.toMatchObject({ reason: "protocol" });
    await peer.ended;
  });

  test("fails in the host's own words where it refuses, or has no room and closes", async () => {
    const host = await ScriptedHost.listen();
    const refusals = [
      { code: "incompatible_protocol", message: "too old" },
      { code: "terminal_operation_failed", message: "as many connections as it may" },
    ];
    for (const refusal of refusals) {
      const connecting = connectSupervisor({ path: host.path });
      const peer = await host.accept();
      peer.say({ kind: "failure", ...refusal });
      peer.socket.end();
      await expect(connecting).rejects.toMatchObject({ reason: "refused", ...refusal });
    }
  });

  test("fails where the host closes without a word", async () => {
    const host = await ScriptedHost.listen();
    const connecting = connectSupervisor({ path: host.path });
    connecting.catch(() => {});
    (await host.accept()).socket.end();
    await expect(connecting).rejects.toMatchObject({ reason: "lost" });
  });
});

function hello(fields: Partial<typeof LOCAL_HELLO>): Buffer {
  return encodeFrame({ ...GREETING, hello: { ...LOCAL_HELLO, ...fields } });
}
