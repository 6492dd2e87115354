import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClaudeSource } from "../../../src/agents/claude.ts";
import { Observation } from "../../../src/inventory/observation.ts";
import type { Observed } from "../../../src/inventory/observed.ts";
import { TmuxSource } from "../../../src/inventory/tmux.ts";
import { TtySource } from "../../../src/inventory/ttys.ts";
import { createProcessTable } from "../../../src/processes/index.ts";
import { systemClock } from "../../../src/time/clock.ts";

/** The number that the kernel gave out last in this pid name space (proc(5), ns_last_pid). */
const LAST_PID = "/proc/sys/kernel/ns_last_pid";

/** How long it may take, in milliseconds, before it is told what is the case instead. */
const DEADLINE_MS = 15_000;

/** What is printed: the row and run of an agent, and what is stated of whoever has its pid afterwards. */
export interface Reuse {
  readonly pid: number;
  readonly before: readonly [id: string | undefined, attached: boolean];
  /** Of one that is no agent, and of one that is one again. */
  readonly after: readonly {
    readonly id: string | undefined;
    readonly hasPid: boolean;
    readonly tty: boolean;
    readonly runs: readonly number[];
    readonly command: readonly string[] | undefined;
  }[];
}

/** Runs in a pid name space of its own, where it has numbers given out again: an agent in a pane with a state file that
 * it leaves behind, and after it another program, and another agent, of the same pid on the same pseudo-terminal. */
export default async function reuse(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "termtopic-reuse-"));
  const socket = join(folder, "s");
  const home = join(folder, "home");
  mkdirSync(join(home, "sessions"), { recursive: true });
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], { encoding: "utf8" }).trim();
  const table = createProcessTable({ clock: systemClock });
  let observed: Observed | undefined;
  let waiting = () => {};
  const observation = new Observation(
    {
      clock: systemClock,
      table,
      instance: "0".repeat(32),
      sources: [new TmuxSource({ clock: systemClock, table, sockets: [socket] }), new TtySource()],
      agentSources: [new ClaudeSource({ clock: systemClock, table, homes: [home] })],
    },
    {
      observed(now) {
        observed = now;
        waiting();
      },
      bookmark() {},
      stopped() {},
    },
  );
  const until = async (holds: (now: Observed) => boolean) => {
    while (observed === undefined || !holds(observed)) {
      await new Promise<void>((resolve) => {
        waiting = resolve;
      });
    }
    return observed;
  };
  /** Starts a program in a new pane under that pid, whoever had it before. */
  const startAs = (pid: number, program: string) => {
    for (;;) {
      // The client that asks for it takes the number before.
      writeFileSync(LAST_PID, String(pid - 2));
      const pane = tmux("new-window", "-d", "-P", "-F", "#{pane_id} #{pane_pid}", program);
      const [id = "", got] = pane.split(" ");
      if (Number(got) === pid) return id;
      // Another process was started in between.
      tmux("kill-pane", "-t", id);
    }
  };
  const rowIn = ({ terminals }: Observed, pane: string) =>
    terminals.rows.find(({ id }) => id.endsWith(`/${pane.slice(1)}`));

  // What observes keeps no process alive.
  const deadline = setTimeout(() => {
    console.error(`Expected other rows, got ${JSON.stringify(observed)}`);
    process.exit(1);
  }, DEADLINE_MS);
  try {
    tmux("new-session", "-d", "-s", "work", "exec cat");
    observation.acquire();
    await observation.fresh();
    const pid = Number(readFileSync(LAST_PID, "utf8")) + 1_000;
    const first = startAs(pid, "exec -a claude sleep 1000");
    const startTick = table.read(pid)?.startTick;
    const document = {
      pid,
      procStart: startTick,
      sessionId: "11111111-1111-4111-8111-111111111111",
      cwd: "/",
      kind: "interactive",
      startedAt: Date.now(),
      status: "idle",
    };
    writeFileSync(join(home, "sessions", `${pid}.json`), JSON.stringify(document));
    const attached = await until(
      (now) => now.agents.rows.length === 1 && rowIn(now, first)?.pid === pid,
    );
    const before = rowIn(attached, first);
    const after: Reuse["after"][number][] = [];
    for (const program of ["exec sleep 1000", "exec -a claude sleep 1000"]) {
      process.kill(pid, "SIGKILL");
      await until((now) => now.terminals.rows.every((row) => row.pid !== pid));
      const pane = startAs(pid, program);
      const last = program.includes("claude") ? "claude" : "sleep";
      const now = await until((one) => rowIn(one, pane)?.command[0] === last);
      const row = rowIn(now, pane);
      after.push({
        id: row?.id,
        hasPid: row?.pid === pid,
        tty: row?.tty === before?.tty,
        runs: now.agents.rows.map((run) => run.pid),
        command: row?.command,
      });
    }
    const result: Reuse = {
      pid,
      before: [before?.id, attached.agents.rows[0]?.pid === pid],
      after,
    };
    console.log(JSON.stringify(result));
  } finally {
    clearTimeout(deadline);
    observation.release();
    table.close();
    tmux("kill-server");
    rmSync(folder, { recursive: true, force: true });
  }
}
