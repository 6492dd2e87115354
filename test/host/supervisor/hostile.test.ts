import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { encodeFrame, MAXIMUM_FRAME_BYTES } from "../../../src/host/supervisor/index.ts";
import { type BuiltHost, buildHost, RealHost } from "../hostile/real-host.ts";
import { Client, requestId } from "./served-supervisor.ts";
import { match } from "./supervised-session.ts";

let built: BuiltHost;
beforeAll(async () => {
  built = await buildHost();
  return built.remove;
}, 60_000);

const MIB = 1024 * 1024;

/** A host in a process of its own, as clients of the dialect meet it. */
class HostileGround {
  readonly host: RealHost;
  readonly workspace: string;

  private constructor(host: RealHost) {
    this.host = host;
    this.workspace = join(realpathSync(host.place.folder), "work");
    mkdirSync(this.workspace);
  }

  static async start(environment = {}): Promise<HostileGround> {
    return new HostileGround(await RealHost.start(built, environment));
  }

  connect(): Client {
    return new Client(this.host.place.places.supervisor);
  }

  start(command: string, more: object = {}): object {
    return {
      action: "start",
      backend: "native",
      workspace_root: this.workspace,
      cwd: this.workspace,
      initial_monitors: [],
      command,
      shell: "/bin/bash",
      arguments: ["--norc", "-c", command],
      rows: 24,
      columns: 80,
      ...more,
    };
  }

  /** Somebody with whom nothing is wrong, and whom nobody else may disturb. */
  async bystander(): Promise<() => Promise<void>> {
    const client = this.connect();
    const echo = "stty -echo; echo ready; while read line; do echo got $line; done";
    const { session } = (await client.operate(this.start(echo, match("ready")))).success.start;
    const { session_id } = session;
    let count = 0;
    return async () => {
      count += 1;
      const write = { kind: "text", text: `line-${count}.\r` };
      await client.operate({ action: "write", session_id, write });
      const wait = { action: "wait", session_id, ...match(`got line-${count}.`) };
      expect((await client.operate(wait)).success.wait.outcome).toEqual({ condition_met: {} });
      expect(await client.ask({ kind: "ping" })).toEqual({ kind: "pong" });
    };
  }
}

const header = (length: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
};
const framed = (payload: string | Buffer) => {
  const bytes = Buffer.from(payload);
  return Buffer.concat([header(bytes.length), bytes]);
};
const deep = (open: string, close: string, times: number) =>
  framed(open.repeat(times) + close.repeat(times));

const terminal = (operation: unknown) =>
  encodeFrame({ kind: "terminal", request_id: requestId(), operation });

test("of random bytes, half frames, wrong kinds and frames cut into single bytes only their connection ends, if any", async () => {
  const ground = await HostileGround.start();
  const works = await ground.bystander();
  const whole = fc.constantFrom(
    encodeFrame({ kind: "ping" }),
    encodeFrame({ kind: "hello", hello: { minimum: 6, current: 6, capabilities: 1 } }),
    framed('{"kind":"hello","hello":18446744073709551615}'),
    encodeFrame({ kind: "cancel", request_id: "x" }),
    encodeFrame({ kind: "PING" }),
    encodeFrame([[[{ kind: "ping" }]]]),
    encodeFrame({ __proto__: null, constructor: { prototype: 1 }, kind: "terminal" }),
    framed('{"kind":"ping","kind":"terminal","__proto__":{"kind":"ping"}}'),
    framed('{"kind":"hello","hello":{"minimum":6,"current":6,"capabilities":-0}}'),
    framed("\ufeff{}"),
    framed(Buffer.from([0xff, 0xfe, 0x7b])),
    terminal({ action: "list" }),
    terminal({ action: "list", backend: 7 }),
    terminal({ action: "toString", session_id: "__proto__" }),
    terminal({ action: "read", session_id: "constructor", cursor_segment: 1, cursor_offset: 0 }),
    deep("[", "]", 9_000),
    deep('{"a":', "}", 9_000),
    header(0),
    header(1),
    header(MAXIMUM_FRAME_BYTES),
    header(MAXIMUM_FRAME_BYTES + 1),
    header(0xff_ff_ff_ff),
  );
  const part = fc.tuple(whole, fc.nat(40)).map(([bytes, cut]) => bytes.subarray(0, cut));
  const pieces = fc.array(fc.oneof(fc.uint8Array({ maxLength: 200 }), whole, part), {
    minLength: 1,
    maxLength: 6,
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), fc.boolean(), async (all, isSingle, isCut) => {
      const { socket, closed } = ground.connect();
      for (const bytes of all) {
        const step = isSingle ? 1 : bytes.length || 1;
        for (let at = 0; at < bytes.length; at += step) socket.write(bytes.subarray(at, at + step));
      }
      if (isCut) socket.destroy();
      else socket.end();
      await closed;
      runs += 1;
      if (runs % 20 === 0) await works();
    }),
    { numRuns: 100 },
  );
  await works();
}, 60_000);

test.each([
  ["a length of none", header(0)],
  ["a length beyond the limit", header(MAXIMUM_FRAME_BYTES + 1)],
  ["the largest length there is", header(0xff_ff_ff_ff)],
  ["what is no JSON", framed("{]")],
  ["JSON that ends too soon", framed('{"kind":"ping"')],
  ["a frame of the largest size with nothing but zeros", framed(Buffer.alloc(MAXIMUM_FRAME_BYTES))],
  ["JSON of more values than a request may have", framed(`[${"[],".repeat(300_000)}0]`)],
  ["19 000 of the largest numbers", framed(`[${Array(19_000).fill("18446744073709551615")}]`)],
  ["JSON that is half a million deep", deep("[", "]", MAXIMUM_FRAME_BYTES / 2)],
])(
  "a connection is answered invalid_request and ends at %s, and no other does",
  async (_, bytes) => {
    const ground = await HostileGround.start();
    const works = await ground.bystander();
    const client = ground.connect();
    expect(await client.ask({ kind: "ping" })).toEqual({ kind: "pong" });
    client.socket.write(bytes);
    expect(await client.next()).toMatchObject({ kind: "failure", code: "invalid_request" });
    await client.closed;
    await works();
  },
);

test.each([
  ["deep JSON", deep("[", "]", 9_000)],
  ["a number of a million digits", framed("9".repeat(MAXIMUM_FRAME_BYTES))],
  ["64 of the largest numbers", framed(`[${Array(64).fill("18446744073709551615")}]`)],
  ["a text of a megabyte", framed(`"${"x".repeat(MAXIMUM_FRAME_BYTES - 2)}"`)],
  ["an unknown kind", encodeFrame({ kind: "x".repeat(900_000) })],
  ["an id of a megabyte", terminal({ action: "screen", session_id: "x".repeat(900_000) })],
])("%s is answered in few words, and the connection goes on", async (_, bytes) => {
  const ground = await HostileGround.start();
  const client = ground.connect();
  client.socket.write(bytes);
  const answer = await client.next();
  expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  expect(answer.code ?? answer.output.structured.failure.code).toMatch(
    /^(invalid_request|session_not_found)$/,
  );
  expect(await client.ask({ kind: "ping" })).toEqual({ kind: "pong" });
});

test("frames of the largest size in any number hold little memory, whoever leaves them half", async () => {
  const ground = await HostileGround.start({ NODE_OPTIONS: "--max-semi-space-size=2" });
  const works = await ground.bystander();
  const before = ground.host.peak;
  const open = Array.from({ length: 20 }, () => ground.connect());
  for (const { socket } of open) {
    socket.write(header(MAXIMUM_FRAME_BYTES));
    socket.write(Buffer.alloc(MIB - 1, 0x20));
  }
  await works();
  expect(ground.host.peak - before).toBeLessThan(96 * MIB);
  for (const { socket, closed } of open) {
    socket.destroy();
    await closed;
  }
  await works();
}, 60_000);

test("of answers that nobody reads few are held, and then their connection ends", async () => {
  const ground = await HostileGround.start({ NODE_OPTIONS: "--max-semi-space-size=2" });
  const works = await ground.bystander();
  const client = ground.connect();
  const output = "stty -opost; head -c 70000 /dev/zero; printf done; sleep 600";
  const { session } = (await client.operate(ground.start(output, match("done")))).success.start;
  const before = ground.host.peak;
  client.socket.pause();
  const read = {
    action: "read",
    session_id: session.session_id,
    cursor_segment: 1,
    cursor_offset: 0,
  };
  for (let count = 0; count < 2_000; count += 1) client.socket.write(terminal(read));
  client.socket.write(encodeFrame({ kind: "ping" }));
  await works();
  await works();
  client.socket.resume();
  await client.closed;
  await works();
  expect(ground.host.peak - before).toBeLessThan(128 * MIB);
}, 60_000);

test("one connection more than the third socket takes is told so in words, and there is room again once another has gone", async () => {
  const ground = await HostileGround.start();
  const works = await ground.bystander();
  const others = Array.from({ length: 127 }, () => ground.connect());
  for (const other of others) await other.ask({ kind: "ping" });
  const late = ground.connect();
  expect(await late.next()).toMatchObject({
    kind: "failure",
    code: "terminal_operation_failed",
    message: expect.stringContaining("try again when one has ended"),
  });
  await late.closed;
  await works();
  others[0]?.socket.destroy();
  // The host may hear of it later than we do: then it refuses once more.
  let answer: { kind: string };
  do answer = await ground.connect().ask({ kind: "ping" });
  while (answer.kind === "failure");
  expect(answer).toEqual({ kind: "pong" });
}, 30_000);

test("ping and short operations are answered while terminals flood and others wait", async () => {
  const ground = await HostileGround.start();
  const client = ground.connect();
  const flood = "while :; do head -c 1000000 /dev/zero | tr '\\0' x; done";
  const { session } = (await client.operate(ground.start(flood))).success.start;
  const { session_id } = session;
  const waiting = ground.connect();
  const never = match("never comes");
  waiting.begin({ action: "wait", session_id, ...never });
  const end = async () =>
    (await client.operate({ action: "inspect", session_id, max_events: 1 })).success.inspect.session
      .output_cursor.offset;
  const before = await end();
  let now = before;
  let answers = 0;
  for (; now < before + 16 * MIB; answers += 1) {
    expect(await client.ask({ kind: "ping" })).toEqual({ kind: "pong" });
    now = await end();
  }
  // Two megabytes of another's output goes by between two answers at most, on the whole.
  expect(answers).toBeGreaterThan(8);
}, 60_000);

test("clients of the channel and of the supervisor on one terminal do not move each other's cursors", async () => {
  const ground = await HostileGround.start();
  const client = ground.connect();
  const command = "stty -echo -opost; printf one; read line; printf two; read line";
  const { session } = (await client.operate(ground.start(command, match("one")))).success.start;
  const { session_id } = session;
  const channel = await ground.host.connect();
  const target = { sessionId: "supervisor", target: session_id } as const;
  const unread = async () =>
    (await client.operate({ action: "inspect", session_id, max_events: 1 })).success.inspect.session
      .unread_range;
  const at = (offset: number) => ({ segment: 1, offset });

  expect((await channel.read(target)).text).toBe("one");
  expect(await unread()).toEqual({ start: at(0), end: at(3) });
  const read = (cursor_offset: number) =>
    client.operate({ action: "read", session_id, cursor_segment: 1, cursor_offset });
  expect((await read(0)).success.read.raw_output).toBe("one");
  expect(await unread()).toBe(null);

  const write = { action: "write", session_id, write: { kind: "keys", keys: ["enter"] } };
  await client.operate(write);
  const seen = { action: "wait", session_id, ...match("two") };
  expect((await client.operate(seen)).success.wait.outcome).toEqual({ condition_met: {} });
  expect((await read(3)).success.read.raw_output).toBe("two");
  expect((await channel.read(target)).text).toBe("two");
  expect(await unread()).toBe(null);
});
