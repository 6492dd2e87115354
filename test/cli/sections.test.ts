import { expect, test } from "vitest";
import { listingDocument } from "../../src/cli/document.ts";
import { type Sections, sectionsOf } from "../../src/cli/sections.ts";
import { agent, INSTANCE, NOW, sid, terminal } from "./rows.ts";

/** The sections by the numbers of terminals and processes. */
function shape({ starting, attached, unattached, elsewhere }: Sections) {
  return {
    starting: starting.map(({ id }) => id),
    attached: attached.map(({ terminal: { id }, agents }) => [id, agents.map(({ pid }) => pid)]),
    unattached: unattached.map(({ id }) => id),
    elsewhere: elsewhere.map(({ pid }) => pid),
  };
}

test("each terminal is in one section, and an agent in the terminal that is about its process", () => {
  const terminals = [
    terminal({ id: "t:1", pid: 1 }),
    terminal({ id: "t:2", pid: 2, command: ["claude"] }),
    terminal({ id: "t:3", pid: 3, command: ["claude"] }),
    terminal({ id: "t:4", state: "dead", command: ["claude"] }),
  ].map((row) => (row.id === "t:4" ? { ...row, pid: undefined as never } : row));
  const agents = [agent({ pid: 3 }), agent({ pid: 9, sid: sid(2) })];
  expect(shape(sectionsOf(terminals, agents))).toEqual({
    starting: ["t:2"],
    attached: [["t:3", [3]]],
    unattached: ["t:1", "t:4"],
    elsewhere: [9],
  });
});

test("several agents of one terminal are in it, the one that its row is about first, then the newest", () => {
  const inside = { terminal_id: "t:1" };
  const agents = [
    agent({ pid: 2, started_at: 200, ...inside }),
    agent({ pid: 3, started_at: 300, ...inside }),
    agent({ pid: 1, started_at: 100, ...inside }),
  ];
  const { attached } = shape(sectionsOf([terminal({ id: "t:1", pid: 1 })], agents));
  expect(attached).toEqual([["t:1", [1, 3, 2]]]);
});

test("an agent that states a terminal which is about another process is in none", () => {
  const agents = [agent({ pid: 9, terminal_id: "t:1" }), agent({ pid: 8, terminal_id: "t:7" })];
  expect(shape(sectionsOf([terminal({ id: "t:1", pid: 1 })], agents))).toMatchObject({
    attached: [],
    unattached: ["t:1"],
    elsewhere: [9, 8],
  });
});

test("a number is one process of its instance alone", () => {
  const other = "f".repeat(32);
  const { attached, elsewhere } = shape(
    sectionsOf([terminal({ pid: 1 })], [agent({ instance: other, pid: 1 })]),
  );
  expect([attached, elsewhere]).toEqual([[], [1]]);
});

test("the document states the rows, and the same sections", () => {
  const rows = [
    terminal({ id: "t:2", name: "b", pid: 2 }),
    terminal({ id: "t:1", name: "a", pid: 1 }),
    terminal({ id: "t:3", name: "c", pid: 3, command: ["codex"] }),
  ];
  const agents = [agent({ pid: 7 }), agent({ pid: 2, sid: sid(2), terminal_id: "t:2" })];
  const second = agent({ pid: 4, sid: sid(3), terminal_id: "t:2" });
  const sources = [{ scheme: "t", status: "ok" as const, since_at: 1 }];
  const agentSources = [{ scheme: "claude", status: "absent" as const, since_at: 2 }];
  const listing = {
    terminals: rows,
    agents: [...agents, second],
    sources,
    agentSources,
    polledAt: NOW,
    agentsPolledAt: NOW - 1,
  };
  const id = (name: string) => ({ instance: INSTANCE, id: name });
  expect(listingDocument(listing)).toEqual({
    terminals: [rows[1], rows[0], rows[2]],
    agents: [agents[1], second, agents[0]],
    starting: [id("t:3")],
    attached: [{ ...id("t:2"), sids: [sid(2), sid(3)], pids: [2, 4] }],
    unattached: [id("t:1")],
    sources,
    agent_sources: agentSources,
    polled_at: NOW,
    agents_polled_at: NOW - 1,
  });
});

test("where agents are not known the document says so by what it leaves out", () => {
  const document = listingDocument({ terminals: [], agents: [], sources: [], agentSources: [] });
  expect(document).not.toHaveProperty("agents_polled_at");
});
