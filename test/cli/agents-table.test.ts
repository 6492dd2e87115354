import fc from "fast-check";
import { createColors } from "picocolors";
import { expect, test } from "vitest";
import { type AgentRun, agentName } from "../../src/cli/agent-name.ts";
import type { Listing } from "../../src/cli/listing.ts";
import { listingLines } from "../../src/cli/listing-lines.ts";
import { cells } from "../../src/cli/text.ts";
import type { SourceInfo } from "../../src/contract/sources.ts";
import { agent, NOW, sid, terminal } from "./rows.ts";

const NOTHING: Listing = {
  terminals: [],
  agents: [],
  sources: [],
  agentSources: [],
  agentsPolledAt: NOW,
};

function lines(listing: Partial<Listing>, { width, color = false }: Shown = {}): string[] {
  const options = { now: NOW, home: "/home/ann", width, colors: createColors(color) };
  return listingLines({ ...NOTHING, ...listing }, options);
}

interface Shown {
  readonly width?: number;
  readonly color?: boolean;
}

const attached = terminal({
  id: "tmux:a/2",
  name: "work:0.1",
  command: ["claude", "-c"],
  cwd: "/home/ann/src/atlas",
  pid: 20,
  started_at: NOW - 60_000,
});

test("sections stand in their order, each with its count, and the empty ones are left out", () => {
  const terminals = [
    terminal({ cwd: "/home/ann", started_at: NOW - 5_000 }),
    attached,
    terminal({ id: "tmux:a/3", name: "work:0.2", pid: 30, command: ["codex"] }),
  ];
  const agents = [
    agent({ name: "retry fix", status: "busy", status_at: NOW - 3_000, terminal_id: "tmux:a/2" }),
    agent({ pid: 40, kind: "background", sid: sid(2), status: "idle", config_dir: "/h/.codex" }),
  ];
  expect(lines({ terminals, agents })).toEqual([
    "starting (1)",
    "TERMINAL  NAME      STATE    COMMAND  PID",
    "tmux:a/3  work:0.2  running  codex    30",
    "",
    "attached (1)",
    "TERMINAL  NAME      AGENT   SESSION                               CALLED     STATUS   COMMAND    CWD          PID  SINCE",
    `tmux:a/2  work:0.1  claude  ${sid(1)}  retry fix  busy 3s  claude -c  ~/src/atlas  20   1m`,
    "",
    "unattached (1)",
    "TERMINAL  NAME      STATE    COMMAND  CWD  PID  SINCE",
    "tmux:a/1  work:0.0  running  bash     ~    10   5s",
    "",
    "agents in none of these terminals (1)",
    "AGENT  SESSION                               STATUS  KIND        CWD          PID  SINCE",
    `codex  ${sid(2)}  idle    background  ~/src/atlas  40   1m`,
  ]);
  expect(lines({ terminals: [attached], agents: agents.slice(0, 1) })[0]).toBe("attached (1)");
});

test("a session is named by the first part of its id, and by more only where two share that", () => {
  const other = "1192f7c4-6b1e-7d3a-9c58-000000000009";
  const near = sid(1).replace("6b1e", "6b1f");
  const agents = [
    agent({ sid: sid(1) }),
    agent({ pid: 21, sid: other }),
    agent({ pid: 22, sid: near }),
  ];
  expect(
    lines({ agents })
      .slice(4)
      .map((line) => line.split(/\s+/)[1]),
  ).toEqual(["0192f7c4-6b1e", "1192f7c4", "0192f7c4-6b1f"]);
});

test("an agent that waits says what for and stands out", () => {
  const agents = [
    agent({ status: "waiting", status_at: NOW - 120_000, waiting_for: "permission: Bash" }),
  ];
  const shown = lines({ terminals: [attached], agents });
  expect(shown[1]).toMatch(/STATUS +WAITS FOR +COMMAND/);
  expect(shown[2]).toMatch(/waiting 2m +permission: Bash +claude -c/);
  const painted = lines({ terminals: [attached], agents }, { color: true }).join("\n");
  expect(painted).toContain("\x1b[1m\x1b[33mwaiting 2m");
  const busy = [agent({ status: "busy", waiting_for: "left over" })];
  const quiet = lines({ terminals: [attached], agents: busy }, { color: true }).join("\n");
  expect(quiet).not.toMatch(/left over|\x1b\[33m/);
});

test("several agents of one terminal are a line each, below the one that it is about", () => {
  const agents = [
    agent({ terminal_id: "tmux:a/2" }),
    agent({
      pid: 25,
      sid: sid(2),
      status: "idle",
      terminal_id: "tmux:a/2",
      cwd: "/srv",
      started_at: NOW - 2_000,
    }),
  ];
  const [heading, , first, second] = lines({ terminals: [attached], agents });
  expect(heading).toBe("attached (1)");
  expect(first).toMatch(/^tmux:a\/2 .* claude -c +~\/src\/atlas +20 +1m$/);
  expect(second).toMatch(/^ +claude +\S+ +idle +\/srv +25 +2s$/);
});

test("an agent is named by the source that reads its folder, what it runs, or the only source that can be", () => {
  const since_at = NOW;
  const home = (name: string) => ({ scheme: "claude", name, status: "ok" as const, since_at });
  const other = (scheme: string, status: "ok" | "absent" = "ok") => ({ scheme, status, since_at });
  const name = (run: AgentRun, ...sources: SourceInfo[]) => agentName(run, sources);
  const odd = agent({ config_dir: "/srv/work" });
  expect(name({ agent: odd }, home("/srv/work"), other("codex"))).toBe("claude");
  const wrapped = terminal({ command: ["node", "/srv/cli.js"] });
  expect(name({ agent: odd, terminal: wrapped }, home("/srv/work"))).toBe("claude");
  const aider = terminal({ command: ["python3", "/usr/bin/aider"] });
  expect(name({ agent: odd, terminal: aider }, home("/h/.claude"), other("codex"))).toBe("aider");
  expect(name({ agent: odd }, home("/h/.claude"), other("codex"))).toBe("codex");
  expect(name({ agent: odd }, other("codex", "absent"), other("command"))).toBe("command");
  expect(name({ agent: odd }, other("codex"), other("command"))).toBe("");
  expect(name({ agent: odd }, other("upstream"))).toBe("");
  const named = agent({ config_dir: "/h/.codex" });
  expect(name({ agent: named }, other("codex"), other("upstream"))).toBe("codex");
  expect(name({ agent: agent({ config_dir: "/h/.claude-like" }) }, other("codex"))).toBe("codex");
});

test("the second agent of a terminal is named by its source", () => {
  const inside = { terminal_id: "tmux:a/2", config_dir: "/srv/work" };
  const agents = [agent(inside), agent({ ...inside, pid: 25, sid: sid(2) })];
  const agentSources: Listing["agentSources"] = [
    { scheme: "claude", name: "/srv/work", status: "ok", since_at: NOW },
  ];
  const shown = lines({ terminals: [attached], agents, agentSources });
  expect(shown[3]).toMatch(/^ +claude +0192f7c4-\S+2 /);
});

test("the program in front has a column of its own where there is one", () => {
  const shown = lines({ terminals: [terminal({ foreground: "make" }), terminal({ id: "t:2" })] });
  expect(shown[1]).toMatch(/COMMAND +FRONT +PID/);
  expect(shown.filter((line) => /bash +make/.test(line))).toHaveLength(1);
  expect(lines({ terminals: [terminal()] })[1]).not.toContain("FRONT");
});

test("the state of an attached terminal is told only where it is odd", () => {
  const agents = [agent()];
  expect(lines({ terminals: [attached], agents })[1]).not.toContain("STATE");
  const odd = { ...attached, bell: true };
  expect(lines({ terminals: [odd], agents })[2]).toContain("running, bell");
});

test("on a narrow terminal what an agent does is left, then what it is", () => {
  const agents = [
    agent({
      status: "waiting",
      status_at: NOW,
      waiting_for: "permission to use Bash",
      name: "atlas",
    }),
  ];
  const heading = (width: number) => lines({ terminals: [attached], agents }, { width })[1];
  expect(heading(70)).toMatch(/^NAME +AGENT +SESSION +CALLED +STATUS +WAITS FOR$/);
  expect(heading(50)).toMatch(/^AGENT +SESSION +STATUS +WAITS FOR$/);
  expect(heading(34)).toMatch(/^STATUS +WAITS FOR$/);
});

test("sources of agents that are not well stand below, and that nobody observes agents", () => {
  const since_at = NOW - 5_000;
  const agentSources: Listing["agentSources"] = [
    { scheme: "claude", name: "/home/ann/.claude", status: "ok", since_at },
    { scheme: "codex", status: "absent", since_at },
    {
      scheme: "upstream",
      name: "/run/x.sock",
      status: "failing",
      since_at,
      error: { code: "away", msg: "no answer" },
    },
  ];
  expect(lines({ terminals: [terminal()], agentSources }).slice(3)).toEqual([
    "",
    "upstream /run/x.sock could not be read for the last 5s, its agents may be out of date: no answer",
  ]);
  const { agentsPolledAt: _, ...unread } = NOTHING;
  const options = { now: NOW, home: "/", width: undefined, colors: createColors(false) };
  expect(listingLines(unread, options)).toEqual([
    "There are no terminals.",
    "agents are not known: the publisher does not observe them",
  ]);
  expect(listingLines({ ...unread, agentsRefusal: "forbidden: \x1bno" }, options)[1]).toBe(
    "agents are not known: forbidden:  no",
  );
});

test("a folder of Claude Code that was named and is not there is told, other absent ones are not", () => {
  const source = (name: string, status: "absent" | "ok") => {
    return { scheme: "claude", name, status, since_at: NOW };
  };
  const agentSources: Listing["agentSources"] = [
    source("/home/ann/.claude", "absent"),
    source("/srv/mistypd\x1b", "absent"),
    source("/srv/work", "ok"),
  ];
  const options = { now: NOW, home: "/", width: undefined, colors: createColors(false) };
  const listing = { ...NOTHING, terminals: [terminal()], agentSources };
  const named = { ...options, claudeHomes: ["/srv/mistypd\x1b", "/srv/work"] };
  expect(listingLines(listing, named).slice(3)).toEqual([
    "",
    "no folder of Claude Code was found at /srv/mistypd ",
  ]);
  expect(listingLines(listing, options)).toHaveLength(3);
});

test("managers that are not there are told in one line, where nothing else is", () => {
  const sources = ["tmux", "screen", "kitty"].map((scheme) => ({
    scheme,
    status: "absent" as const,
    since_at: NOW,
  }));
  expect(lines({ sources })).toEqual([
    "There are no terminals.",
    "tmux, screen and kitty are not running",
  ]);
  expect(lines({ sources, agents: [agent()] })).toHaveLength(7);
});

test("strangers' text of agents cannot leave its line, and no line is wider than the terminal", () => {
  const strange = fc.string({ unit: "binary", maxLength: 60 });
  const odd = fc.record({
    pid: fc.integer({ min: 1, max: 9 }),
    cwd: strange,
    kind: strange,
    name: strange,
    status: fc.oneof(strange, fc.constant("waiting")),
    waiting_for: strange,
    config_dir: strange,
    terminal_id: strange,
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(odd, { minLength: 1, maxLength: 6, selector: ({ pid }) => pid }),
      fc.integer({ min: 1, max: 200 }),
      (rows, width) => {
        const terminals = [1, 2].map((pid) =>
          terminal({ id: `tmux:x/${pid}`, pid, foreground: rows[0]?.name ?? "" }),
        );
        for (const line of lines({ terminals, agents: rows.map(agent) }, { width })) {
          expect(line).not.toMatch(/\p{Cc}/u);
          expect(cells(line)).toBeLessThanOrEqual(width);
        }
      },
    ),
  );
});
