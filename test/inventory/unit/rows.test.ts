import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TerminalInfo, validationErrors } from "../../../src/index.ts";
import { Rows, type Stated } from "../../../src/inventory/rows.ts";
import type { ObservedTerminal } from "../../../src/inventory/terminal.ts";
import { Vigil } from "../../../src/inventory/vigil.ts";
import { ProcessFacts } from "../../../src/processes/facts.ts";
import type { ProcessInfo, ProcessKey } from "../../../src/processes/types.ts";
import { FakeClock } from "../../lib/fake-clock.ts";
import { FakeTable, processInfo } from "../../lib/fake-table.ts";
import { INSTANCE } from "./support.ts";

const SERVER = processInfo(5, { tty: undefined, name: "tmux: server" });

function host() {
  const clock = new FakeClock();
  const table = new FakeTable();
  const facts = new ProcessFacts(table, clock);
  const rows = new Rows(INSTANCE, {
    clock,
    table,
    facts,
    cwdOf: (process) => new Vigil(table, facts, clock).cwdOf(process),
  });
  table.set(SERVER, { argv: ["tmux", "new"] });
  return {
    clock,
    table,
    rows,
    read: (terminals: ObservedTerminal[], agents: ProcessKey[] = []) =>
      rows.read(stated(terminals, agents), table.snapshot()).terminals,
    readOne(terminal: ObservedTerminal, agents: ProcessKey[] = []) {
      return rows.read(stated([terminal], agents), table.snapshot()).terminals[0];
    },
    restate: (terminals: ObservedTerminal[], agents: ProcessKey[] = []) =>
      rows.restate(stated(terminals, agents)).terminals,
  };
}

const stated = (terminals: ObservedTerminal[], agents: ProcessKey[]): Stated => ({
  terminals,
  runs: agents.map((key) => ({
    ...key,
    cwd: "/",
    kind: "interactive",
    startedAt: 1,
    configDir: "/",
  })),
  isManager: () => false,
});

const pane: ObservedTerminal = {
  id: "tmux:default@5.1/0",
  state: "running",
  rootPid: 10,
  tty: "/dev/pts/1",
};

const shell = (fields: Partial<ProcessInfo> = {}) =>
  processInfo(10, { parent: 5, name: "bash", ...fields });

describe("a row", () => {
  test("states what the manager says and what the process table says of its process", () => {
    const { table, readOne } = host();
    table.set(shell(), { argv: ["-bash"], cwd: { path: "/src", deleted: false } });
    const terminal = { ...pane, name: "main:0.0", title: "\u001bvim\u202e", cols: 80, rows: 24 };
    expect(
      readOne({ ...terminal, viewers: 1, bell: false, activityAt: 1_700_000_123_456 }),
    ).toEqual({
      instance: INSTANCE,
      id: "tmux:default@5.1/0",
      state: "running",
      command: ["-bash"],
      cwd: "/src",
      pid: 10,
      started_at: 1_600_000_010_100,
      start_tick: "1010",
      tty: "/dev/pts/1",
      name: "main:0.0",
      title: "vim",
      cols: 80,
      rows: 24,
      viewers: 1,
      bell: false,
      activity_at: 1_700_000_100_000,
    });
  });

  test("names the process that the manager started where it is about another", () => {
    const { table, readOne } = host();
    table.set(shell({ foregroundGroup: 20 }), { argv: ["-bash"] });
    const agent = table.set(processInfo(20, { parent: 10, session: 10, name: "claude" }), {
      argv: ["claude"],
      cwd: { path: "/src", deleted: false },
    });
    expect(readOne(pane)).toMatchObject({
      pid: 20,
      root_pid: 10,
      command: ["claude"],
      cwd: "/src",
    });
    table.set(agent, { argv: ["python", "agent"] });
    const { pid, startTick } = agent;
    expect(readOne(pane, [{ pid, startTick }])).toMatchObject({ pid: 20, root_pid: 10 });
    expect(readOne(pane, [{ pid, startTick: "1" }])).not.toHaveProperty("root_pid");
  });

  test("leaves out what is not known, rather than to state it as undefined or null", () => {
    const { table, readOne } = host();
    table.set(shell());
    const row = readOne(pane);
    expect(Object.keys(row ?? {}).sort()).toEqual(
      ["command", "id", "instance", "pid", "start_tick", "started_at", "state", "tty"].sort(),
    );
  });

  test("is the contract's, whatever a manager and the process table say", () => {
    const number = fc.oneof(
      fc.constantFrom(
        0,
        -1,
        1,
        65_535,
        65_536,
        2 ** 53,
        1e300,
        Number.NaN,
        Infinity,
        -Infinity,
        0.5,
      ),
      fc.integer(),
    );
    const word = fc.oneof(
      fc.constantFrom("", " ", "SIG", "SIGKILL", "sigterm", "\u0000\ud800"),
      fc.string(),
    );
    const terminal = fc.record(
      {
        id: fc.constant("tmux:default@5.1/0"),
        state: fc.oneof(fc.constantFrom("running", "dead", ""), fc.string()),
        rootPid: fc.oneof(fc.constantFrom(10, 11, 12), number),
        tty: fc.oneof(fc.constantFrom("/dev/pts/1", ""), fc.string()),
        name: word,
        title: word,
        cols: number,
        rows: number,
        viewers: number,
        bell: fc.boolean(),
        activityAt: number,
        exitCode: number,
        exitSignal: word,
      },
      { requiredKeys: ["id", "state"] },
    );
    const argv = fc.option(fc.array(word, { maxLength: 8 }), { nil: undefined });
    const cwd = fc.option(fc.record({ path: word, deleted: fc.boolean() }), { nil: undefined });
    fc.assert(
      fc.property(terminal, argv, cwd, (terminal, argv, cwd) => {
        const { table, read } = host();
        const rest = { ...(argv && { argv }), ...(cwd && { cwd }) };
        table.set(shell(), rest);
        table.set(processInfo(11, { tty: undefined, parent: 10 }), rest);
        table.set(processInfo(12, { tty: "/dev/pts/2" }), rest);
        for (const row of read([terminal])) {
          expect(validationErrors(TerminalInfo, row)).toEqual([]);
          expect(JSON.parse(JSON.stringify(row))).toEqual(row);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("a process that a manager names and that cannot be its own", () => {
  test.each([
    ["has another terminal", { tty: "/dev/pts/7" }],
    ["has no terminal", { tty: undefined, parent: 1 }],
    [
      "is a copy of its parent on another terminal",
      { tty: "/dev/pts/7", name: "daemon", parent: 2 },
    ],
  ])("because it %s is not stated", (_, fields) => {
    const { table, readOne } = host();
    table.set(processInfo(1, { tty: undefined, name: "init" }), { argv: ["init"] });
    table.set(processInfo(2, { tty: undefined, name: "daemon" }), { argv: ["daemon"] });
    table.set(processInfo(3, { tty: "/dev/pts/3" }));
    table.set(shell(fields), { argv: ["daemon"], cwd: { path: "/", deleted: false } });
    expect(readOne(pane)).toEqual({
      instance: INSTANCE,
      id: pane.id,
      state: "running",
      command: [],
      tty: "/dev/pts/1",
    });
  });

  test("is believed where the kernel tells of no process which terminal it has", () => {
    const { table, readOne } = host();
    table.set(shell({ tty: undefined }), { argv: ["-bash"] });
    expect(readOne(pane)).toMatchObject({ pid: 10, command: ["-bash"] });
  });

  test("is believed where the manager says no terminal either", () => {
    const { table, readOne } = host();
    table.set(shell({ tty: undefined }), { argv: ["-bash"] });
    const { tty, ...without } = pane;
    expect(tty).toBeDefined();
    expect(readOne(without)).toMatchObject({ pid: 10 });
  });
});

describe("a process that still is a copy of its manager", () => {
  test.each([
    ["with its arguments", ["tmux", "new"]],
    ["with none, in the midst of exec", []],
  ])("%s is stated without a command, and read again soon", async (_, argv) => {
    const { clock, table, rows, readOne } = host();
    table.set(processInfo(3, { tty: "/dev/pts/3" }));
    for (const tty of [undefined, "/dev/pts/1"]) {
      table.set(shell({ name: "tmux: server", tty }), { argv });
      expect(readOne(pane)).toMatchObject({ pid: 10, command: [] });
      expect(rows.unsettledFor()).toBe(5);
    }
    table.set(shell(), { argv: ["-bash"] });
    await clock.advance(5);
    expect(readOne(pane)).toMatchObject({ pid: 10, command: ["-bash"] });
  });

  test("is not looked at every few milliseconds for ever", async () => {
    const { clock, table, rows, readOne } = host();
    table.set(shell({ name: "tmux: server" }), { argv: ["tmux", "new"] });
    readOne(pane);
    await clock.advance(200);
    readOne(pane);
    expect(rows.unsettledFor()).toBeUndefined();
  });

  test("is not one that merely runs the manager's program with other arguments", () => {
    const { table, readOne } = host();
    table.set(processInfo(6, { tty: undefined, name: "node" }), { argv: ["node", "host.js"] });
    table.set(shell({ parent: 6, name: "node" }), { argv: ["node", "app.js"] });
    expect(readOne(pane)).toMatchObject({ command: ["node", "app.js"] });
  });
});

describe("a row that is new", () => {
  test("is to be read again a little later, once", async () => {
    const { clock, table, rows, readOne } = host();
    table.set(shell(), { argv: ["-bash"] });
    expect(rows.unsettledFor()).toBeUndefined();
    readOne(pane);
    expect(rows.unsettledFor()).toBe(100);
    await clock.advance(100);
    readOne(pane);
    expect(rows.unsettledFor()).toBeUndefined();
  });

  test("begins again when another process was started in the terminal", async () => {
    const { clock, table, rows, readOne } = host();
    table.set(shell(), { argv: ["-bash"] });
    readOne(pane);
    await clock.advance(100);
    table.set(processInfo(30, { parent: 5 }), { argv: ["sh"] });
    expect(readOne({ ...pane, rootPid: 30 })).toMatchObject({ pid: 30, command: ["sh"] });
    expect(rows.unsettledFor()).toBe(100);
  });
});

describe("a terminal whose process has ended", () => {
  const ended = { id: pane.id, state: "dead", exitCode: 3, exitSignal: "SIGKILL" };

  test("goes on to say what ran there and how it ended, and states no pid", () => {
    const { table, readOne } = host();
    table.set(shell(), { argv: ["make"], cwd: { path: "/src", deleted: false } });
    readOne(pane);
    table.end(10);
    const row = {
      instance: INSTANCE,
      id: pane.id,
      state: "dead",
      command: ["make"],
      cwd: "/src",
      exit_code: 3,
      exit_signal: "SIGKILL",
    };
    expect([readOne(ended), readOne(ended)]).toEqual([row, row]);
  });

  test("states neither pid nor command where it was never seen alive", () => {
    const { readOne } = host();
    expect(readOne(ended)).toMatchObject({ state: "dead", command: [], exit_code: 3 });
    expect(readOne(ended)).not.toHaveProperty("pid");
  });

  test("states no pid before its manager has noticed either", () => {
    const { table, readOne } = host();
    table.set(shell(), { argv: ["make"] });
    readOne(pane);
    table.end(10);
    expect(readOne(pane)).toEqual({
      instance: INSTANCE,
      id: pane.id,
      state: "running",
      command: ["make"],
      tty: "/dev/pts/1",
    });
  });

  test("does not say of one process what another one ran that was there before it", () => {
    const { table, readOne } = host();
    table.set(shell(), { argv: ["make"] });
    readOne(pane);
    table.end(10);
    expect(readOne({ ...ended, endedPid: 11 })).toMatchObject({ command: [] });
  });

  test("says what the very process ran that its manager names as ended", () => {
    const { table, readOne } = host();
    table.set(shell(), { argv: ["make"] });
    readOne(pane);
    table.end(10);
    expect(readOne({ ...ended, endedPid: 10 })).toMatchObject({ command: ["make"] });
  });

  test("does not pass what ran there on to a terminal that comes under the same id after it was gone", () => {
    const { table, read, readOne } = host();
    table.set(shell(), { argv: ["make"] });
    readOne(pane);
    table.end(10);
    read([]);
    expect(readOne(ended)).toMatchObject({ command: [] });
  });
});

describe("rows that are stated again before the processes were read again", () => {
  test("take what the manager says now, and of the processes what was read last", () => {
    const { table, rows, restate, readOne } = host();
    table.set(shell(), { argv: ["-bash"] });
    expect(rows.making).toBeUndefined();
    expect(restate([pane], [])).toEqual([]);
    readOne(pane);
    expect(rows.making).toBeDefined();
    table.set(shell({ name: "vim" }), { argv: ["vim"] });
    expect(restate([{ ...pane, cols: 100 }], [])).toMatchObject([
      { pid: 10, command: ["-bash"], cols: 100 },
    ]);
  });

  test("read the process of a terminal that is new", () => {
    const { table, restate, read } = host();
    read([]);
    table.set(shell(), { argv: ["-bash"] });
    expect(restate([pane], [])).toMatchObject([{ pid: 10, command: ["-bash"] }]);
  });

  test("state nobody who had the device of a new terminal before", () => {
    const { table, restate, readOne } = host();
    table.set(shell({ foregroundGroup: 20 }), { argv: ["-bash"] });
    const agent = table.set(processInfo(20, { parent: 10, session: 10, name: "claude" }), {
      argv: ["claude"],
    });
    readOne(pane);
    table.end(10);
    table.end(20);
    table.set(processInfo(30, { parent: 5 }), { argv: ["sh"] });
    const next = { ...pane, id: "tmux:default@5.1/1", rootPid: 30 };
    const { pid, startTick } = agent;
    expect(restate([next], [{ pid, startTick }])).toMatchObject([{ pid: 30, command: ["sh"] }]);
  });

  test("read a copy of the manager again, and a dead terminal as dead", () => {
    const { table, restate, readOne } = host();
    table.set(shell({ name: "tmux: server" }), { argv: ["tmux", "new"] });
    readOne(pane);
    const { rootPid, tty, ...gone } = pane;
    expect([rootPid, tty]).toEqual([10, "/dev/pts/1"]);
    const [row] = restate([{ ...gone, state: "dead", exitCode: 0 }], []);
    expect(row).toMatchObject({ state: "dead", exit_code: 0 });
    expect(row).not.toHaveProperty("pid");
  });
});

describe("two terminals of which one is inside the other", () => {
  test("never state one process twice", () => {
    const { table, read } = host();
    table.set(shell({ foregroundGroup: 20 }), { argv: ["-bash"] });
    table.set(processInfo(20, { parent: 10, session: 10, name: "tmux: server" }), {
      argv: ["tmux", "-D"],
    });
    table.set(processInfo(30, { parent: 20, tty: "/dev/pts/2", foregroundGroup: 31 }), {
      argv: ["-bash"],
    });
    const agent = processInfo(31, { parent: 30, session: 30, tty: "/dev/pts/2", name: "claude" });
    table.set(agent, { argv: ["claude"] });
    const inner = { id: "tmux:inner@20.1/0", state: "running", rootPid: 30, tty: "/dev/pts/2" };
    const { pid, startTick } = agent;
    for (const agents of [[], [{ pid, startTick }]]) {
      expect(read([pane, inner], agents).map(({ pid }) => pid)).toEqual([10, 31]);
    }
  });
});

test("processes that cannot be read for once do not make what is known of rows forgotten", () => {
  const { table, readOne } = host();
  table.set(shell(), { argv: ["make"] });
  readOne(pane);
  const { argv } = table;
  table.argv = () => {
    throw new Error("EMFILE");
  };
  expect(() => readOne(pane)).toThrow("EMFILE");
  table.argv = argv;
  table.end(10);
  expect(readOne({ id: pane.id, state: "dead" })).toMatchObject({ command: ["make"] });
});
