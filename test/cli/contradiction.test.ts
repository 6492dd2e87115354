import { expect, test } from "vitest";
import {
  contradictionDocument,
  contradictionOf,
  contradictionText,
} from "../../src/cli/contradiction.ts";
import type { Listing } from "../../src/cli/listing.ts";
import type { AgentInfo } from "../../src/contract/agents.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import type { ExplainedTerminal } from "../../src/inventory/explain.ts";
import { agent, NOW, sid, terminal } from "./rows.ts";

const ROW = terminal({ pid: 20, command: ["claude"] });

/** What we found: Claude Code, with its run where there is one. */
const ours = (run?: AgentInfo): ExplainedTerminal => ({
  row: ROW,
  observed: { id: ROW.id, state: "running" },
  place: undefined,
  processes: [
    {
      process: {
        pid: 20,
        parent: 1,
        group: 20,
        session: 20,
        ttyDevice: 1,
        tty: "/dev/pts/3",
        foregroundGroup: 20,
        state: "S",
        startTick: "20",
        name: "claude",
      },
      argv: ["claude"],
      ...(run === undefined ? {} : { run }),
    },
  ],
  rule: "run",
  folded: [],
});

/** What the publisher is said to state otherwise. */
function told(
  found: ExplainedTerminal,
  terminals: TerminalInfo[],
  agents: AgentInfo[] = [],
  more: Partial<Listing> = { agentsPolledAt: NOW },
): string | undefined {
  const listing = { terminals, agents, sources: [], agentSources: [], ...more };
  const contradiction = contradictionOf(found, { pid: 7, listing });
  if (contradiction === undefined) return undefined;
  const who = "the publisher (pid 7), which may have been given other options, ";
  const text = contradictionText(contradiction);
  expect(text.startsWith(who)).toBe(true);
  return text.slice(who.length);
}

test("a publisher that states the same, or what moves by itself otherwise, contradicts nothing", () => {
  expect(told(ours(), [ROW])).toBeUndefined();
  const moved = { ...ROW, title: "x", foreground: "vim", cwd: "/x", bell: true };
  expect(told(ours(agent()), [moved], [agent({ status: "busy", name: "y" })])).toBeUndefined();
});

test("a terminal that it does not state, or states of another instance, is told", () => {
  expect(told(ours(), [])).toBe("does not state it");
  expect(told(ours(), [{ ...ROW, instance: "f".repeat(32) }])).toBe("does not state it");
});

test("its agents are told where they are others, one without a session by its process", () => {
  expect(told(ours(), [ROW], [agent()])).toBe(`states it as attached to ${sid(1)}`);
  expect(told(ours(agent()), [ROW])).toBe("states it as starting");
  expect(told(ours(agent()), [ROW], [agent({ sid: sid(2) })])).toBe(
    `states it as attached to ${sid(2)}`,
  );
  const { sid: _, ...bare } = agent({ pid: 25, terminal_id: ROW.id });
  expect(told(ours(agent()), [ROW], [agent(), bare])).toBe(
    `states it as attached to ${sid(1)}, process 25`,
  );
});

test("another process and another state are told too", () => {
  const shell = { ...ROW, pid: 10, command: ["bash"] };
  expect(told(ours(agent()), [shell])).toBe("states it as unattached, about process 10");
  const { pid: _, ...dead } = { ...ROW, state: "dead\x1b", exit_code: 1 };
  expect(told(ours(), [dead])).toBe("states it as unattached, about no process, dead  (1)");
});

test("one that does not know agents contradicts nothing by that", () => {
  const refused = { agentsRefusal: "forbidden" };
  expect(told(ours(agent()), [ROW], [], refused)).toBeUndefined();
  expect(told(ours(agent()), [{ ...ROW, pid: 10 }], [], {})).toBe("states it as about process 10");
});

test("the document has what the publisher states", () => {
  const listing = {
    terminals: [ROW],
    agents: [agent()],
    sources: [],
    agentSources: [],
    agentsPolledAt: NOW,
  };
  const contradiction = contradictionOf(ours(), { pid: 7, listing });
  expect(contradiction && contradictionDocument(contradiction)).toEqual({
    pid: 7,
    terminal: ROW,
    section: "attached",
    sids: [sid(1)],
    pids: [20],
  });
});
