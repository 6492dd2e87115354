import { describe, expect, test } from "vitest";
import type { AgentInfo } from "../../src/contract/agents.ts";
import type { TerminalInfo } from "../../src/contract/terminals.ts";
import { inOrder, place } from "../../src/dashboard/shared/place.ts";

const INSTANCE = "3f9c1a7b5e2d48069c1a7b5e2d480691";
const terminal = (more: Partial<TerminalInfo>): TerminalInfo => ({
  ...{ instance: INSTANCE, id: "tmux:a@1.1/1", state: "running", command: ["bash"], pid: 7 },
  ...more,
});
const agent = (more: Partial<AgentInfo>): AgentInfo => ({
  ...{ instance: INSTANCE, pid: 7, cwd: "/", kind: "interactive", started_at: 1, config_dir: "/c" },
  ...more,
});
const partOf = (one: TerminalInfo, ...agents: AgentInfo[]) => place([one], agents)[0]?.section;

describe("a terminal is", () => {
  test("unattached where no run is in it, and ended when its program is", () => {
    expect(partOf(terminal({}))).toBe("unattached");
    expect(partOf(terminal({}), agent({ pid: 8 }))).toBe("unattached");
    const { pid: _, ...ended } = terminal({ state: "dead", bell: true });
    expect(partOf(ended)).toBe("ended");
  });

  test("starting while a harness has stated no run, and attached once it has", () => {
    expect(partOf(terminal({ command: ["claude"] }))).toBe("starting");
    expect(partOf(terminal({ command: ["claude"] }), agent({}))).toBe("attached");
  });

  test("one that needs somebody where a run in it waits, or a bell rang", () => {
    expect(partOf(terminal({}), agent({ status: "waiting" }))).toBe("needs");
    expect(partOf(terminal({ bell: true }))).toBe("needs");
    expect(partOf(terminal({ bell: false }))).toBe("unattached");
  });
});

test("of several runs in a terminal the one that waits counts, else the newest", () => {
  const runs = [agent({ sid: "a", started_at: 5 }), agent({ sid: "b", started_at: 9 })];
  expect(place([terminal({})], runs)[0]?.agent?.sid).toBe("b");
  const waits = agent({ sid: "c", status: "waiting", started_at: 1 });
  expect(place([terminal({})], [...runs, waits])[0]?.agent?.sid).toBe("c");
});

test("who waits longest comes first, of others what began last, and sessions stay together", () => {
  const ids = (terminals: TerminalInfo[], agents: AgentInfo[]) =>
    place(terminals, agents)
      .sort(inOrder)
      .map(({ terminal: { id } }) => id);
  const three = [1, 2, 3].map((pid) => terminal({ id: `pty:${pid}`, pid, started_at: pid * 10 }));
  expect(ids(three, [])).toEqual(["pty:3", "pty:2", "pty:1"]);
  const waiting = [1, 2, 3].map((pid) => agent({ pid, status: "waiting", status_at: 100 - pid }));
  expect(ids(three, waiting)).toEqual(["pty:3", "pty:2", "pty:1"]);
  const runs = [1, 2, 3].map((pid) => agent({ pid, sid: pid === 2 ? "b" : "a" }));
  expect(ids(three, runs)).toEqual(["pty:2", "pty:3", "pty:1"]);
});
