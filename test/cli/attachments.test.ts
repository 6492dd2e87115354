import { expect, test } from "vitest";
import { agentLine } from "../../src/cli/agent-line.ts";
import { type AgentEvent, Attachments, type Entrance } from "../../src/cli/attachments.ts";
import type { AgentInfo } from "../../src/contract/agents.ts";
import type { RemovalReason } from "../../src/contract/sources.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { agent, INSTANCE, NOW, sid, terminal } from "./rows.ts";

/** What is told of one publisher, whose rows are stated anew at each step. */
function listen() {
  const attachments = new Attachments();
  let terminals: readonly TerminalInfo[] = [];
  let agents: readonly AgentInfo[] = [];
  const take = (next: Step) => {
    const { kind = "opened", reason } = next;
    const why = reason === undefined ? {} : { reason };
    const events = <Row>(
      before: readonly Row[],
      now: readonly Row[],
      keyOf: (row: Row) => unknown,
    ) => [
      ...before
        .filter((row) => now.every((one) => keyOf(one) !== keyOf(row)))
        .map((row) => ({ kind: "gone" as const, row, ...why })),
      ...now
        .filter((row) => before.every((one) => keyOf(one) !== keyOf(row)))
        .map((row) => ({ kind, row })),
    ];
    const { terminals: nextTerminals = terminals, agents: nextAgents = agents } = next;
    attachments.noteTerminals(events(terminals, nextTerminals, ({ id }) => id));
    attachments.noteAgents(events(agents, nextAgents, ({ pid }) => pid));
    [terminals, agents] = [nextTerminals, nextAgents];
    return next.isLooked === false ? NOTHING : attachments.look(INSTANCE, terminals, agents);
  };
  return take;
}

interface Step {
  readonly terminals?: readonly TerminalInfo[];
  readonly agents?: readonly AgentInfo[];
  /** What becomes of rows that were not there. */
  readonly kind?: "listed" | "opened";
  /** Why rows go. */
  readonly reason?: RemovalReason;
  readonly isLooked?: boolean;
}

const NOTHING = { entrances: [], agents: [] };

const entered = ({ entrances }: { entrances: readonly Entrance[] }) =>
  entrances.map(({ state, terminal: { id }, agents }) => [state, id, agents.map(({ pid }) => pid)]);

const lines = ({ agents }: { agents: readonly AgentEvent[] }) =>
  agents.flatMap(
    (event) =>
      agentLine(event, [], new Date(2026, 0, 2, 3, 4, 5))?.slice("03:04:05  ".length) ?? [],
  );

const shell = terminal({ id: "t:1", pid: 10 });
const claude = terminal({ id: "t:1", pid: 20, command: ["claude"] });

test("what was there before enters nothing, and its agents are listed", () => {
  const take = listen();
  const first = take({
    kind: "listed",
    terminals: [claude],
    agents: [agent({ status: "waiting" })],
  });
  expect(entered(first)).toEqual([]);
  expect(lines(first)).toEqual([`agent    t:1  work:0.0  claude ${sid(1)}  listed  waiting`]);
});

test("a terminal goes from section to section as an agent comes up in it and ends", () => {
  const take = listen();
  take({ kind: "listed", terminals: [shell], agents: [] });
  expect(entered(take({ terminals: [claude] }))).toEqual([["starting", "t:1", []]]);
  const up = take({ agents: [agent({ status: "busy" })] });
  expect(entered(up)).toEqual([["attached", "t:1", [20]]]);
  expect(lines(up)).toEqual([`agent    t:1  work:0.0  claude ${sid(1)}  attached  busy`]);
  const end = take({ terminals: [shell], agents: [], reason: "closed" });
  expect(entered(end)).toEqual([["unattached", "t:1", []]]);
  expect(lines(end)).toEqual([`agent    t:1  work:0.0  claude ${sid(1)}  ended  closed`]);
});

test("a terminal that is new enters its section", () => {
  const take = listen();
  take({ kind: "listed", terminals: [], agents: [] });
  expect(entered(take({ terminals: [shell] }))).toEqual([["unattached", "t:1", []]]);
  const other = terminal({ id: "t:2", pid: 30 });
  const both = take({ terminals: [shell, other], agents: [agent({ pid: 30, status: "waiting" })] });
  expect(entered(both)).toEqual([
    ["attached", "t:2", [30]],
    ["waiting", "t:2", [30]],
  ]);
});

test("each time that an agent begins to wait is an entrance, and going on waiting is none", () => {
  const take = listen();
  const at = (status_at: number, waiting_for: string) =>
    agent({ status: "waiting", status_at, waiting_for });
  take({ kind: "listed", terminals: [claude], agents: [agent({ status: "busy" })] });
  const waits = take({ agents: [at(1, "permission: \x1bBash")] });
  expect(entered(waits)).toEqual([["waiting", "t:1", [20]]]);
  expect(lines(waits)).toEqual([
    `agent    t:1  work:0.0  claude ${sid(1)}  waiting for permission:  Bash`,
  ]);
  expect(entered(take({ agents: [{ ...at(1, "permission: \x1bBash"), name: "x" }] }))).toEqual([]);
  // Answered and asked again between two looks.
  expect(entered(take({ agents: [at(2, "permission: \x1bBash")] }))).toHaveLength(1);
  expect(entered(take({ agents: [agent({ status: "busy" })] }))).toEqual([]);
});

test("a second agent of a terminal that waits is an entrance, with those that wait", () => {
  const take = listen();
  const inside = { terminal_id: "t:1" };
  const agents = [agent(inside), agent({ pid: 21, sid: sid(2), status: "busy", ...inside })];
  take({ kind: "listed", terminals: [claude], agents });
  const waits = take({
    agents: [agents[0] as AgentInfo, agent({ pid: 21, sid: sid(2), status: "waiting", ...inside })],
  });
  expect(entered(waits)).toEqual([["waiting", "t:1", [21]]]);
  expect(lines(waits)).toEqual([`agent    t:1  work:0.0  claude ${sid(2)}  waiting`]);
});

test("an agent in no terminal is told by its session or its process", () => {
  const take = listen();
  take({ kind: "listed", terminals: [], agents: [] });
  const { sid: _, ...none } = agent({ config_dir: "/home/ann/.codex" });
  expect(lines(take({ agents: [none, agent({ pid: 21, config_dir: "/home/ann" })] }))).toEqual([
    "agent    in no terminal  codex pid 20  began",
    `agent    in no terminal  ${sid(1)}  began`,
  ]);
});

test("another session, a name and a terminal that an agent comes into are told", () => {
  const take = listen();
  take({ kind: "listed", terminals: [shell], agents: [agent({ status: "idle" })] });
  expect(lines(take({ terminals: [claude] }))).toEqual([
    `agent    t:1  work:0.0  claude ${sid(1)}  attached`,
  ]);
  expect(lines(take({ agents: [agent({ sid: sid(2), name: "fix", status: "idle" })] }))).toEqual([
    `agent    t:1  work:0.0  claude ${sid(2)}  another session  called fix`,
  ]);
  const { sid: _, ...none } = agent({ name: "fix", status: "idle" });
  expect(lines(take({ agents: [none] }))).toEqual([
    "agent    t:1  work:0.0  claude pid 20  session ended",
  ]);
  expect(lines(take({ agents: [{ ...none, status_at: NOW }] }))).toEqual([]);
});

test("a process that has its number from another one is another agent", () => {
  const take = listen();
  take({ kind: "listed", terminals: [claude], agents: [agent({ start_tick: "1" })] });
  expect(lines(take({ agents: [agent({ start_tick: "2", sid: sid(2) })] }))).toEqual([
    `agent    t:1  work:0.0  claude ${sid(1)}  ended`,
    `agent    t:1  work:0.0  claude ${sid(2)}  attached`,
  ]);
});

test("over a stop of the publisher only what differs is told", () => {
  const take = listen();
  const other = terminal({ id: "t:2", pid: 30 });
  const before = { terminals: [claude, other], agents: [agent(), agent({ pid: 50, sid: sid(5) })] };
  take({ kind: "listed", ...before });
  take({ terminals: [], agents: [], reason: "instance_stopped", isLooked: false });
  const same = take({ kind: "listed", ...before });
  expect([entered(same), lines(same)]).toEqual([[], []]);
  take({ terminals: [], agents: [], reason: "instance_stopped", isLooked: false });
  const back = take({
    kind: "listed",
    terminals: [claude, other, terminal({ id: "t:3", pid: 40 })],
    agents: [agent(), agent({ pid: 30, sid: sid(3) })],
  });
  expect(entered(back)).toEqual([["attached", "t:2", [30]]]);
  expect(lines(back)).toEqual([
    `agent    in no terminal  claude ${sid(5)}  ended`,
    `agent    t:2  work:0.0  bash ${sid(3)}  listed`,
  ]);
});

test("a terminal that closed and came again between two looks is new", () => {
  const take = listen();
  take({ kind: "listed", terminals: [shell], agents: [] });
  take({ terminals: [], reason: "closed", isLooked: false });
  expect(entered(take({ terminals: [shell] }))).toEqual([["unattached", "t:1", []]]);
});

test("what another publisher states is left alone", () => {
  const attachments = new Attachments();
  const other = "f".repeat(32);
  attachments.look(INSTANCE, [claude], [agent()]);
  attachments.look(other, [{ ...claude, instance: other }], [agent({ instance: other })]);
  const { entrances, agents } = attachments.look(INSTANCE, [claude], []);
  expect([entrances.length, agents.length]).toEqual([1, 1]);
  expect(agents[0]).toMatchObject({ kind: "ended", agent: { instance: INSTANCE } });
});
