// A client of the host written from the text of its dialect alone: it uses nothing of the project, so that what others
// write from that text works as well. It goes through everything once and prints what it found, a line of JSON for each
// step. Arguments: the socket, and a directory.
import assert from "node:assert/strict";
import { connect } from "node:net";

const [path, cwd] = process.argv.slice(2);
const ACKNOWLEDGE_BYTES = 65_536;

class Connection {
  events = [];
  output = Buffer.alloc(0);
  received = 0;
  #pending = Buffer.alloc(0);
  #unacknowledged = 0;
  #waiting = [];

  constructor() {
    this.socket = connect(path);
    this.socket.on("data", (chunk) => this.#read(chunk));
    this.ended = new Promise((resolve) => this.socket.on("close", resolve));
  }

  #read(chunk) {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length >= 4) {
      const length = this.#pending.readUInt32BE(0);
      if (this.#pending.length < 4 + length) break;
      const body = this.#pending.subarray(5, 4 + length);
      if (this.#pending[4] === 1) this.#show(body);
      else this.events.push(JSON.parse(body.toString()));
      this.#pending = this.#pending.subarray(4 + length);
    }
    this.#waiting = this.#waiting.filter((look) => !look());
  }

  #show(bytes) {
    this.output = Buffer.concat([this.output, bytes]);
    this.received += bytes.length;
    this.#unacknowledged += bytes.length;
    if (this.#unacknowledged < ACKNOWLEDGE_BYTES) return;
    this.send({ type: "ack", bytes: this.#unacknowledged });
    this.#unacknowledged = 0;
  }

  send(message) {
    const isBytes = Buffer.isBuffer(message);
    const body = isBytes ? message : Buffer.from(JSON.stringify(message));
    const header = Buffer.alloc(5);
    header.writeUInt32BE(body.length + 1, 0);
    header[4] = isBytes ? 1 : 0;
    this.socket.write(Buffer.concat([header, body]));
  }

  until(find) {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (!found) return false;
        resolve(found);
        return true;
      };
      if (!look()) this.#waiting.push(look);
    });
  }

  /** Takes the next event of a type, and leaves the others. */
  async next(type) {
    const event = await this.until(() => this.events.find((one) => one.type === type));
    this.events.splice(this.events.indexOf(event), 1);
    return event;
  }

  async call(id, call) {
    this.send({ type: "call", id, call: { sessionId: "s1", ...call } });
    const reply = await this.until(() => this.events.find((one) => one.id === id));
    this.events.splice(this.events.indexOf(reply), 1);
    assert.equal(reply.type, "reply");
    return reply;
  }

  shows(text) {
    return this.until(() => this.output.includes(text));
  }
}

const step = (name, found) => console.log(JSON.stringify({ step: name, ...found }));

const agent = new Connection();
const hello = await agent.next("hello");
step("hello", hello);

agent.send({ type: "list", sessionId: "s1" });
assert.deepEqual((await agent.next("list")).terminals, []);
agent.send({ type: "theme", foreground: 0xeeeeee, background: 0x101010, scheme: "dark" });

// A person opens one and works in it.
const viewer = new Connection();
await viewer.next("hello");
viewer.send({ type: "open", sessionId: "s1", cwd, env: null, cols: 80, rows: 24 });
const { terminal } = await viewer.next("attached");
assert.equal(terminal.index, 1);
assert.equal(terminal.agent, undefined);
viewer.send(Buffer.from("echo typed-$((40 + 2))\r"));
await viewer.shows("typed-42");
viewer.send({ type: "resize", cols: 132, rows: 43 });
await viewer.until(() => viewer.events.find(({ terminal: now }) => now?.cols === 132));
step("opened", { terminal, told: (await agent.next("terminals")).terminals[0].id });

// More than a window, acknowledged.
viewer.send(Buffer.from("yes 0123456789 | head -c 2000000; echo 'do''ne'\r"));
await viewer.shows("done");
step("acknowledged", { enough: viewer.received > 262_144 });

// An agent works by calls.
const opened = await agent.call(1, {
  op: "open",
  key: "open-1",
  cwd,
  env: null,
  name: "work",
  command: "echo from-command",
  cols: 80,
  rows: 24,
});
assert.equal(opened.result.kind, "terminal");
assert.equal(opened.result.terminal.agent, true);
assert.equal(opened.result.terminal.index, 2);
const again = await agent.call(2, {
  op: "open",
  key: "open-1",
  cwd,
  env: null,
  name: "work",
  command: "echo from-command",
  cols: 80,
  rows: 24,
});
assert.equal(again.result.terminal.id, opened.result.terminal.id);
const first = await agent.call(3, {
  op: "read",
  target: "work",
  // The terminal shows the command as it is typed, and what it says comes after the prompt.
  wait: { until: "match", pattern: "from-command(.|\\n)*from-command$", timeoutMs: 10_000 },
});
assert.equal(first.result.waited, "match");
const cursor = await agent.call(4, { op: "cursor", target: "2" });
assert.equal(cursor.result.offset, first.result.to);
const keys = ["echo s", "ent", "Enter"];
const sent = await agent.call(5, { op: "send", key: "send-1", target: "2", keys, literal: false });
assert.deepEqual(sent.result, { kind: "done" });
const second = await agent.call(6, {
  op: "read",
  target: "2",
  from: cursor.result.offset,
  wait: { until: "match", pattern: "^sent$", timeoutMs: 10_000 },
});
step("read", { text: second.result.text, skipped: second.result.skipped });
const quiet = await agent.call(7, {
  op: "read",
  target: "2",
  wait: { until: "quiet", quietMs: 50, timeoutMs: 10_000 },
});
assert.equal(quiet.result.waited, "quiet");
const capture = await agent.call(8, { op: "capture", target: "2", scrollback: 10 });
step("captured", { text: capture.result.text });
const styled = await agent.call(9, { op: "capture", target: "2", scrollback: 0, escapes: true });
assert.equal(styled.result.kind, "capture");
const list = await agent.call(10, { op: "list" });
assert.equal(list.result.windows.length, 2);

// A wait is given up.
const endless = { until: "match", pattern: "never", timeoutMs: 600_000 };
const waiting = agent.call(11, { op: "read", target: "2", wait: endless });
agent.send({ type: "cancel", id: 11 });
step("cancelled", await waiting);

// Somebody attaches and sees the screen whole.
const late = new Connection();
await late.next("hello");
late.send({ type: "attach", terminalId: opened.result.terminal.id });
await late.next("attached");
await late.shows("sent");

// A terminal that is at work is closed only by force.
viewer.send(Buffer.from("sh -c 'echo at wor\"\"k; exec sleep 1000'\r"));
await viewer.shows("at work");
viewer.send({ type: "close" });
step("busy", await viewer.next("busy"));
viewer.send({ type: "close", force: true });
assert.equal((await viewer.next("closed")).terminalId, terminal.id);

// The other one ends by itself, and its last words are there.
await agent.call(12, { op: "send", key: "send-2", target: "2", keys: ["exit 3\r"], literal: true });
const exit = await agent.call(13, {
  op: "read",
  target: "2",
  wait: { until: "exit", timeoutMs: 10_000 },
});
step("exited", { waited: exit.result.waited, exited: exit.result.terminal.exited });
const closed = await agent.call(14, { op: "close", key: "close-1", target: "2" });
assert.deepEqual(closed.result, { kind: "closed", terminalId: opened.result.terminal.id });
assert.deepEqual((await agent.call(15, { op: "closeSession" })).result, { kind: "done" });
await late.next("closed");
const unknown = await agent.call(16, { op: "cursor", target: "2" });
assert.equal(typeof unknown.error, "string");

agent.send({ type: "shutdown" });
await Promise.all([agent.ended, viewer.ended, late.ended]);
step("shut down");
