import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Merge, merge } from "../../../src/inventory/merge.ts";
import { placesOf } from "../../../src/inventory/places.ts";
import type { ObservedTerminal } from "../../../src/inventory/terminal.ts";
import { createSnapshot } from "../../../src/processes/snapshot.ts";
import type { ProcessInfo } from "../../../src/processes/types.ts";
import { processInfo } from "../../lib/fake-table.ts";

interface Host {
  readonly processes: readonly ProcessInfo[];
  /** Terminals that managers state, in the order in which they count: id and root. */
  readonly managed?: readonly (readonly [string, number])[];
  readonly managers?: readonly number[];
  readonly agents?: readonly number[];
  /** Launchers of the harnesses that they lead to. */
  readonly launchers?: readonly number[];
}

/** Every leader of a tty is stated as bare, under `tty:<pid>`. */
function merged({ processes, managed = [], managers = [], agents = [], launchers = [] }: Host) {
  const snapshot = createSnapshot(0, processes);
  const bare = processes
    .filter(({ pid, session, tty }) => tty !== undefined && pid === session)
    .map(({ pid, tty = "" }): ObservedTerminal => {
      return { id: `tty:${pid}`, state: "running", rootPid: pid, tty, isBare: true };
    });
  const stated = managed.map(([id, rootPid]): ObservedTerminal => {
    return { id, state: "running", rootPid };
  });
  return merge([...bare, ...stated], {
    snapshot,
    rootOf: ({ rootPid = 0 }) => snapshot.get(rootPid),
    isManager: ({ pid }) => managers.includes(pid),
    opensForTools: ({ pid }) => agents.includes(pid) && !launchers.includes(pid),
  });
}

const ids = ({ terminals }: Merge) => terminals.map(({ id }) => id);
const parts = ({ folded }: Merge) =>
  folded.map(({ leader, into, why }) => [leader.pid, into, why] as const);

/** A leader of a terminal of its own, opened by `parent`. */
const leader = (pid: number, parent: number, fields: Partial<ProcessInfo> = {}) =>
  processInfo(pid, { parent, tty: `/dev/pts/${pid}`, ...fields });

/** A job in front of the terminal that `pid` leads. */
const inFront = (pid: number, of: number, fields: Partial<ProcessInfo> = {}) =>
  processInfo(pid, {
    parent: of,
    session: of,
    tty: `/dev/pts/${of}`,
    foregroundGroup: pid,
    ...fields,
  });

const pane = leader(10, 5, { foregroundGroup: 20 });
const PANE = ["tmux:a@5.1/0", 10] as const;

describe("a tty that nobody manages", () => {
  test("is a terminal of its own", () => {
    expect(ids(merged({ processes: [leader(30, 1), leader(40, 7)] }))).toEqual([
      "tty:30",
      "tty:40",
    ]);
  });

  test("gives way to a manager that states the terminal", () => {
    expect(ids(merged({ processes: [pane], managed: [PANE] }))).toEqual(["tmux:a@5.1/0"]);
  });

  test("gives way to a manager that does not state it, or not yet, but whose it is", () => {
    const server = processInfo(5, { tty: undefined });
    expect(ids(merged({ processes: [server, leader(30, 5)], managers: [5] }))).toEqual([]);
    expect(ids(merged({ processes: [server, leader(30, 5)] }))).toEqual(["tty:30"]);
  });

  test("with a number that a container's has too is told apart by its session", () => {
    const contained = processInfo(30, { parent: 1, tty: "/dev/pts/10" });
    expect(ids(merged({ processes: [pane, contained], managed: [PANE] }))).toEqual([
      "tmux:a@5.1/0",
      "tty:30",
    ]);
  });
});

describe("several managers that state one terminal", () => {
  test("state it once, the first of them", () => {
    const managed = [["hyoui:x", 10] as const, PANE];
    expect(ids(merged({ processes: [pane], managed }))).toEqual(["hyoui:x"]);
  });

  test("may each state one whose process is not known", () => {
    const managed = [["hyoui:x", 99] as const, ["zellij:a/1", 99] as const];
    expect(ids(merged({ processes: [], managed }))).toEqual(["hyoui:x", "zellij:a/1"]);
  });
});

describe("a wrapper in a terminal", () => {
  const script = inFront(20, 10);

  test("has the only tty that it opened in that terminal", () => {
    const host = merged({ processes: [pane, script, leader(30, 20)], managed: [PANE] });
    expect(ids(host)).toEqual(["tmux:a@5.1/0"]);
    expect(parts(host)).toEqual([[30, "tmux:a@5.1/0", "wrapper"]]);
  });

  test("may be in a terminal that nobody manages, and within another wrapper", () => {
    const login = leader(10, 7, { foregroundGroup: 20 });
    const inner = leader(30, 20, { foregroundGroup: 31 });
    const again = inFront(31, 30);
    const host = merged({ processes: [login, script, inner, again, leader(40, 31)] });
    expect(ids(host)).toEqual(["tty:10"]);
    expect(parts(host)).toEqual([
      [30, "tty:10", "wrapper"],
      [40, "tty:10", "wrapper"],
    ]);
  });

  test("is none when it opens several: each is a terminal of its own", () => {
    const processes = [pane, script, leader(30, 20), leader(31, 20)];
    expect(ids(merged({ processes, managed: [PANE] }))).toEqual([
      "tmux:a@5.1/0",
      "tty:30",
      "tty:31",
    ]);
  });

  test("is none in the background, as a window that a shell opened is; one that is suspended is one", () => {
    const window = inFront(20, 10, { foregroundGroup: 10 });
    const processes = [leader(10, 5), window, leader(30, 20)];
    expect(ids(merged({ processes, managed: [PANE] }))).toEqual(["tmux:a@5.1/0", "tty:30"]);
    const suspended = [leader(10, 5), { ...window, state: "T" }, leader(30, 20)];
    expect(ids(merged({ processes: suspended, managed: [PANE] }))).toEqual(["tmux:a@5.1/0"]);
  });

  test("is none without a terminal: what it opened is one", () => {
    const sshd = processInfo(20, { tty: undefined });
    expect(ids(merged({ processes: [sshd, leader(30, 20)] }))).toEqual(["tty:30"]);
  });
});

describe("an agent in a terminal", () => {
  const agent = inFront(20, 10);

  test("has the ttys of its tools in that terminal, however many and however far down", () => {
    const tool = processInfo(25, { parent: 20, tty: undefined });
    const processes = [pane, agent, tool, leader(30, 20), leader(31, 25), leader(32, 25)];
    const host = merged({ processes, managed: [PANE], agents: [20] });
    expect(ids(host)).toEqual(["tmux:a@5.1/0"]);
    expect(parts(host).map(([, , why]) => why)).toEqual(["tool", "tool", "tool"]);
  });

  test("that nobody knows a terminal of leaves its tools theirs", () => {
    const agentElsewhere = processInfo(20, { tty: undefined });
    const processes = [agentElsewhere, leader(30, 20)];
    expect(ids(merged({ processes, agents: [20] }))).toEqual(["tty:30"]);
  });

  test("that was launched on a tty of its own is behind a wrapper, not a tool", () => {
    const sudo = inFront(20, 10);
    const processes = [pane, sudo, leader(30, 20)];
    const host = merged({ processes, managed: [PANE], agents: [20, 30], launchers: [20] });
    expect(parts(host)).toEqual([[30, "tmux:a@5.1/0", "wrapper"]]);
  });
});

describe("whatever the processes are", () => {
  const made = fc.record({
    parent: fc.integer({ min: 0, max: 12 }),
    kind: fc.constantFrom("leader", "job", "none"),
    of: fc.integer({ min: 1, max: 12 }),
    isAgent: fc.boolean(),
    isManaged: fc.boolean(),
    isManager: fc.boolean(),
    state: fc.constantFrom("S", "T"),
  });

  test("every terminal is one row, each process is in one, and what is folded is folded into a row", () => {
    fc.assert(
      fc.property(fc.array(made, { maxLength: 12 }), (list) => {
        const processes = list.map(({ parent, kind, of, state }, index) => {
          const pid = index + 1;
          const leads = (at: number) => list[at - 1]?.kind === "leader";
          if (kind === "leader") return leader(pid, parent, { state });
          if (kind === "job" && leads(of)) return inFront(pid, of, { parent, state });
          return processInfo(pid, { parent, tty: undefined, state });
        });
        const pids = (which: (one: (typeof list)[number]) => boolean) =>
          list.flatMap((one, index) => (which(one) ? [index + 1] : []));
        const host = merged({
          processes,
          managed: pids(({ isManaged }) => isManaged).map((pid) => [`m:${pid}`, pid] as const),
          managers: pids(({ isManager }) => isManager),
          agents: pids(({ isAgent }) => isAgent),
        });
        const rows = ids(host);
        expect(new Set(rows).size).toBe(rows.length);
        for (const { into } of host.folded) expect(rows).toContain(into);
        const places = placesOf(host, createSnapshot(0, processes));
        const placed = rows.flatMap((id) => places.in(id).map(({ pid }) => pid));
        expect(new Set(placed).size).toBe(placed.length);
        for (const id of rows) {
          for (const { pid } of places.in(id)) expect(places.of(pid)).toBe(id);
        }
        for (const { leader: folded, into } of host.folded) {
          expect(places.of(folded.pid)).toBe(into);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
