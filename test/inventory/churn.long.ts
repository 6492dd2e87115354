import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BOOKMARK_MS } from "../../src/contract/envelope.ts";
import { PrivateTmux, type Subscriber, subscribe, temporaryFolder } from "./support.ts";

/** How long the random changes go on, and where they start from. */
const SECONDS = Number(process.env["TERMTOPIC_LONG_SECONDS"] ?? 120);
const SEED = Number(process.env["TERMTOPIC_SEED"] ?? Date.now() % 1_000_000);

/** How long rows may take to be what the servers say, in milliseconds. What opens or closes no terminal, such as the
 * closing of a pane that was dead, is announced by nobody and shows with the next listing; a busy machine is slow. */
const CONVERGENCE_MS = BOOKMARK_MS + 5_000;

/** Mulberry32: the same numbers for the same seed on every machine. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A server that things happen to. */
class Victim {
  readonly socket: string;
  tmux: PrivateTmux | undefined;

  constructor(socket: string) {
    this.socket = socket;
  }

  /** Fails where a server that was killed has not let go of its socket yet; a later try succeeds. */
  start(): void {
    const tmux = new PrivateTmux(this.socket);
    tmux.run("new-session", "-d", "-s", "s0", "-x", "200", "-y", "200", "exec cat");
    this.tmux = tmux;
  }

  /** Every pane as tmux itself lists it: its number, and whether it is dead. `undefined` while the server
   * does not answer because it makes its socket again. */
  panes(): Map<string, string> | undefined {
    if (this.tmux === undefined) return new Map();
    let lines: string[];
    try {
      lines = this.tmux.run("list-panes", "-a", "-F", "#{pane_id} #{pane_dead}").split("\n");
    } catch {
      return undefined;
    }
    return new Map(
      lines.map((line) => {
        const [id = "", dead] = line.split(" ");
        return [id.slice(1), dead === "1" ? "dead" : "running"];
      }),
    );
  }
}

function happen(victim: Victim, pick: (below: number) => number): string {
  const tmux = victim.tmux;
  if (tmux === undefined) {
    try {
      victim.start();
      return "start";
    } catch {
      return "start failed";
    }
  }
  const panes = [...(victim.panes()?.keys() ?? [])].map((number) => `%${number}`);
  if (panes.length === 0) return "no answer yet";
  const pane = panes[pick(panes.length)] as string;
  const quiet = (...command: string[]) => {
    try {
      tmux.run(...command);
    } catch {
      // A change that this server refuses now, such as a split of what is too small, is no change.
    }
    return command.join(" ");
  };
  switch (pick(12)) {
    case 0:
    case 1:
    case 2:
      return quiet("split-window", "-d", "-t", pane, "exec cat");
    case 3:
      return quiet("new-window", "-d", "exec sleep 1000");
    case 4:
      return quiet("new-session", "-d", "exec cat");
    case 5:
      return panes.length > 1 ? quiet("kill-pane", "-t", pane) : "";
    case 6:
      return quiet("link-window", "-d", "-s", pane, "-t", "s0:");
    case 7:
      return quiet("set-option", "-g", "remain-on-exit", pick(2) === 0 ? "on" : "off");
    case 8:
      return quiet("respawn-pane", "-k", "-t", pane, "exec cat");
    case 9:
      return panes.length > 1 ? quiet("send-keys", "-t", pane, "C-d") : "";
    case 10:
      if (pick(4) > 0) return quiet("break-pane", "-d", "-s", pane);
      process.kill(tmux.pid, "SIGKILL");
      victim.tmux = undefined;
      return "kill server";
    default:
      if (pick(3) > 0) return quiet("select-layout", "-t", pane, "tiled");
      unlinkSync(victim.socket);
      process.kill(tmux.pid, "SIGUSR1");
      return "delete socket and recreate";
  }
}

function statedPanes(subscriber: Subscriber, victim: Victim): Map<string, string> {
  const own = subscriber.rows.filter(({ id }) =>
    id.startsWith(`tmux:${encodeURIComponent(victim.socket)}@`),
  );
  return new Map(own.map(({ id, state }) => [id.slice(id.lastIndexOf("/") + 1), state]));
}

test(
  `after random changes the rows are what the servers say (seed ${SEED}, ${SECONDS} s)`,
  async () => {
    const pick = random(SEED);
    const folder = temporaryFolder();
    const victims = ["a", "b", "c"].map((name) => new Victim(join(folder, name)));
    for (const victim of victims) victim.start();
    const subscriber = await subscribe([folder]);
    const end = performance.now() + SECONDS * 1_000;
    let rounds = 0;
    while (performance.now() < end) {
      const done: string[] = [];
      for (let change = pick(12); change >= 0; change -= 1) {
        const victim = victims[pick(victims.length)] as Victim;
        done.push(`${victim.socket.slice(-1)}: ${happen(victim, pick)}`);
      }
      for (const victim of victims) {
        const deadline = AbortSignal.timeout(CONVERGENCE_MS);
        const told = () => [...statedPanes(subscriber, victim)].sort().join("\n");
        const real = () => [...(victim.panes() ?? [["no answer"]])].sort().join("\n");
        // The servers go on to change by themselves for a moment: what they say is asked again with each frame.
        const reached = subscriber.until(() => told() === real());
        const late = new Promise((resolve) => deadline.addEventListener("abort", resolve));
        await Promise.race([reached, late]);
        expect(told(), `round ${rounds}, after\n${done.join("\n")}\n`).toBe(real());
      }
      rounds += 1;
    }
    expect(rounds).toBeGreaterThan(0);
  },
  SECONDS * 1_000 + 60_000,
);
