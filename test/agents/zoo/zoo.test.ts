import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ClaudeSource } from "../../../src/agents/claude.ts";
import { CodexSource } from "../../../src/agents/codex.ts";
import { HARNESS_COMMANDS } from "../../../src/contract/derivations.ts";
import type { TerminalInfo } from "../../../src/contract/terminals.ts";
import { TmuxSource } from "../../../src/inventory/tmux.ts";
import { TtySource } from "../../../src/inventory/ttys.ts";
import { createProcessTable } from "../../../src/processes/index.ts";
import { systemClock } from "../../../src/time/clock.ts";
import { onEnd, type Subscriber, subscribe, temporaryFolder } from "../../inventory/support.ts";
import { ClaudeHome, sessionOf } from "./state-files.ts";
import { type Cage, Zoo } from "./zoo.ts";

let zoo: Zoo;
beforeAll(async () => {
  zoo = await Zoo.open();
});
afterAll(() => zoo?.end());

/** Observes the zoo with every source that may state something of it. */
async function observe(home: ClaudeHome): Promise<Subscriber> {
  const clock = systemClock;
  const table = createProcessTable({ clock });
  onEnd(() => table.close());
  return await subscribe([], {
    table,
    sources: [new TmuxSource({ clock, table, sockets: zoo.sockets }), new TtySource()],
    agentSources: [
      new ClaudeSource({ clock, table, homes: [home.folder] }),
      new CodexSource({ clock, table }),
    ],
  });
}

/** The pane that a row is about, in the words of tmux. */
function paneOf({ id }: TerminalInfo): string | undefined {
  return /^tmux:.*@(\d+)\.\d+\/(\d+)$/.exec(id)?.slice(1).join("/");
}

const keyOf = ({ pane: { server, number } }: Cage) => `${server}/${number}`;

/** What rows say of each pane in the zoo, each thing once: whose it is. */
function told(rows: readonly TerminalInfo[]): Record<string, string> {
  return Object.fromEntries(
    zoo.cages.map((cage) => {
      const about = rows.filter((row) => paneOf(row) === keyOf(cage));
      return [cage.name, [...new Set(about.map(owner))].join(", then ")];
    }),
  );
}

function owner({ command: [name], pid }: TerminalInfo): string {
  const isHarness = HARNESS_COMMANDS.some((harness) => harness === name);
  return pid !== undefined && isHarness ? `${name} ${pid}` : "nobody's";
}

/** Every row that was ever stated. */
const everStated = ({ frames }: Subscriber): TerminalInfo[] =>
  frames.flatMap(({ frame }) =>
    frame.data.terminals.flatMap((row) => ("removed" in row ? [] : row)),
  );

const truth = () =>
  Object.fromEntries(
    zoo.cages.map(({ name, agent }) => [
      name,
      agent === undefined ? "nobody's" : `${agent.harness} ${agent.pid}`,
    ]),
  );

/** The names of the panes that rows are about. */
function namesOf(rows: readonly TerminalInfo[]): string[] {
  const names = new Map(zoo.cages.map((cage) => [keyOf(cage), cage.name]));
  return rows.flatMap((row) => names.get(paneOf(row) ?? "") ?? []).sort();
}

const cagesOf = (harness?: "claude" | "codex") =>
  zoo.cages.filter(({ agent }) => agent?.harness === harness).map(({ name }) => name);

describe("the zoo", () => {
  test("has launch shapes and decoys enough, and all of them where we may do everything", () => {
    expect(new Set(zoo.cages.map(({ name }) => name)).size).toBe(zoo.cages.length);
    expect(cagesOf("claude").length + cagesOf("codex").length).toBeGreaterThan(40);
    expect(cagesOf(undefined).length).toBeGreaterThan(30);
    if (process.getuid?.() === 0) expect(zoo.skipped).toEqual([]);
  });

  test("shows each agent in its terminal, and in no other one, from the first row on", async () => {
    const subscriber = await observe(new ClaudeHome(temporaryFolder()));
    await subscriber.until(({ rows }) => namesOf(rows).length >= zoo.cages.length);
    expect(told(everStated(subscriber))).toEqual(truth());
    // What has a row of its own is not in one of another scheme too.
    const pids = new Set(zoo.agents.map(({ pid }) => pid));
    const others = subscriber.rows.filter((row) => paneOf(row) === undefined);
    expect(others.filter(({ pid }) => pid !== undefined && pids.has(pid))).toEqual([]);
  });

  test("has every agent starting until its row appears, and nothing else", async () => {
    const subscriber = await observe(new ClaudeHome(temporaryFolder()));
    await subscriber.until(({ rows }) => namesOf(rows).length >= zoo.cages.length);
    const { starting, attached } = subscriber.classified;
    expect(namesOf([...starting, ...attached.map(({ terminal }) => terminal)])).toEqual(
      [...cagesOf("claude"), ...cagesOf("codex")].sort(),
    );
    expect(namesOf(starting)).toEqual(expect.arrayContaining(cagesOf("claude")));
  });

  test("has every agent attached to its terminal, by its process alone", async () => {
    const home = new ClaudeHome(temporaryFolder());
    const subscriber = await observe(home);
    for (const { pid, harness, cwd } of zoo.agents) if (harness === "claude") home.state(pid, cwd);
    // Of a process that has ended, whose number a shell was given.
    const shell = zoo.cages.find(({ name }) => name === "a shell in a folder with agents");
    if (shell === undefined) throw new Error("Expected a shell in a folder with agents");
    home.state(shell.pane.root, shell.pane.cwd, "1");
    const ours = new Set(zoo.agents.map(({ pid }) => pid));
    await subscriber.until(
      ({ agents }) => agents.filter(({ pid }) => ours.has(pid)).length === ours.size,
    );
    await subscriber.until(({ classified }) => namesOf(classified.starting).length === 0);
    expect(told(everStated(subscriber))).toEqual(truth());
    const attached = subscriber.classified.attached.map(({ terminal, sids }) => [
      paneOf(terminal),
      ...sids,
    ]);
    const sessions = zoo.cages.flatMap((cage) => {
      const { agent } = cage;
      if (agent === undefined) return [];
      return [[keyOf(cage), ...(agent.harness === "claude" ? [sessionOf(agent.pid)] : [])]];
    });
    expect(attached.filter(([pane]) => pane !== undefined).sort()).toEqual(sessions.sort());
  });
});
