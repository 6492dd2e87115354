// A client of the host written from the text of the supervisor dialect alone: it uses nothing of the project, so that what
// others write from that text works as well. It goes through everything once and prints what it found, a line of JSON for
// each step. Arguments: the socket, a folder to work in, and the backend.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { connect } from "node:net";

const [path, workspace, backend] = process.argv.slice(2);
const FRAMED_JSON = 1n << 0n;
const SESSIONS = 1n << 1n;
const CANCELLATION = 1n << 2n;
const MONITORS = 1n << 3n;

const newId = () => randomBytes(16).toString("hex");
const say = (step, more = {}) => console.log(JSON.stringify({ step, ...more }));

/** One request on a connection of its own. */
function exchange(request) {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const payload = Buffer.from(JSON.stringify(request));
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32BE(payload.length);
    socket.write(Buffer.concat([prefix, payload]));
    let read = Buffer.alloc(0);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      read = Buffer.concat([read, chunk]);
      if (read.length < 4 || read.length < 4 + read.readUInt32BE(0)) return;
      assert.ok(read.readUInt32BE(0) >= 1 && read.readUInt32BE(0) <= 1024 * 1024);
      socket.destroy();
      resolve(JSON.parse(read.subarray(4).toString()));
    });
  });
}

async function operate(operation, request_id = newId()) {
  const response = await exchange({ kind: "terminal", request_id, operation });
  assert.equal(response.kind, "terminal", JSON.stringify(response));
  const { content, is_error, structured, original_bytes, truncated } = response.output;
  if (!truncated) assert.deepEqual(JSON.parse(content), structured);
  assert.equal(typeof original_bytes, "number");
  return is_error ? structured.failure : structured.success[operation.action];
}

const local = Number(FRAMED_JSON | SESSIONS | CANCELLATION | MONITORS);
const hello = { minimum: 6, current: 6, capabilities: local };
const greeted = await exchange({ kind: "hello", hello });
assert.equal(greeted.kind, "hello");
assert.equal(greeted.negotiated, 6);
assert.equal(BigInt(greeted.hello.capabilities) & BigInt(local), BigInt(local));
assert.match(greeted.instance_id, /^[0-9a-f]{32}$/);
const refused = await exchange({ kind: "hello", hello: { ...hello, minimum: 2, current: 2 } });
say("negotiated", { refused: refused.code });

assert.deepEqual(await exchange({ kind: "ping" }), { kind: "pong" });

const onMatch = { notify: { kind: "on_match" }, lifetime: { kind: "until_session_end" } };
const command = "printf 'ready> '; while read line; do echo \"got:$line\"; done; exit 7";
const started = await operate({
  action: "start",
  backend,
  workspace_root: workspace,
  cwd: workspace,
  initial_monitors: [{ condition: { kind: "output_contains", pattern: "ready>" }, ...onMatch }],
  command,
  shell: "/bin/bash",
  arguments: ["--norc", "-c", command],
  sandbox_profile: null,
  rows: 24,
  columns: 80,
  return_when: { kind: "match", pattern: "ready>" },
  wait_ceiling_ms: 30_000,
});
const { session_id } = started.session;
say("started", { session_id, outcome: started.outcome });

let cursor = { segment: 1, offset: 0 };
async function read() {
  const page = await operate({
    action: "read",
    session_id,
    cursor_segment: cursor.segment,
    cursor_offset: cursor.offset,
  });
  cursor = page.raw_range?.end ?? cursor;
  return page.raw_output;
}
say("read", { text: await read() });

const added = await operate({
  action: "monitor",
  session_id,
  operation: {
    kind: "add",
    definition: { condition: { kind: "output_matches", pattern: "got:s?cond" }, ...onMatch },
  },
});
say("monitored", { monitor_id: added.monitor_id });

const wait = (return_when, wait_ceiling_ms = 30_000) =>
  operate({ action: "wait", session_id, return_when, wait_ceiling_ms });
const write = (kind, more) => operate({ action: "write", session_id, write: { kind, ...more } });
const text = await write("text", { text: "first" });
const keys = await write("keys", { keys: ["enter"] });
const waited = await wait({ kind: "match", pattern: "got:first" });
await read();
await write("paste", { text: "second" });
await write("controls", { controls: [..."M"].map((letter) => letter.charCodeAt(0)) });
const second = await wait({ kind: "match", pattern: "got:second" });
say("written", {
  accepted: [text.accepted_bytes, keys.accepted_bytes],
  outcomes: [waited.outcome, second.outcome],
});
say("quiet", { outcome: (await wait({ kind: "quiet", duration_ms: 20 })).outcome });

const inspect = (more = {}) =>
  operate({
    action: "inspect",
    session_id,
    after_event_id: null,
    acknowledge_event_id: null,
    max_events: 16,
    ...more,
  });
const seen = await inspect();
say("inspected", {
  events: seen.events.map(({ event_id, monitor_id, reason }) => [event_id, monitor_id, reason]),
  states: seen.monitors,
});
const acknowledged = await inspect({ acknowledge_event_id: seen.next_event_id - 1 });
say("acknowledged", { left: acknowledged.events.length });
for (const kind of ["pause", "resume", "remove"]) {
  const operation = { kind, monitor_id: added.monitor_id };
  await operate({ action: "monitor", session_id, operation });
}
say("removed", { reasons: (await inspect()).events.map(({ reason }) => reason) });

const { dimensions } = await operate({ action: "resize", session_id, rows: 30, columns: 100 });
const screen = await operate({ action: "screen", session_id });
const top = screen.cells[0].map(({ text, count }) => text ?? " ".repeat(count)).join("");
say("resized", { dimensions, shown: screen.dimensions, top: top.trimEnd() });

const waiting = newId();
const exit = { action: "wait", session_id, return_when: { kind: "exit" }, wait_ceiling_ms: 60_000 };
const cancelled = operate(exit, waiting);
for (;;) {
  const { kind, accepted } = await exchange({ kind: "cancel", request_id: waiting });
  assert.equal(kind, "cancelled");
  if (accepted) break;
}
say("cancelled", { outcome: (await cancelled).outcome });

const listed = await operate({ action: "list", backend });
assert.deepEqual(
  listed.sessions.map((session) => session.session_id),
  [session_id],
);
await operate({ action: "signal", session_id, signal: "terminate" });
const { outcome, session } = await operate(exit);
say("signalled", { outcome, lifecycle: session.lifecycle });

const closed = await operate({ action: "close", session_id, close_policy: "force" });
const after = await operate({ action: "screen", session_id });
const last = await inspect();
say("closed", {
  policy: closed.policy,
  lifecycle: closed.session.lifecycle,
  refused: after.code,
  inspected: last.session.lifecycle,
});
