import { spawn } from "node:child_process";
import { type Agent, agentAt, agentMarked } from "./agent.ts";
import { type Seen, statOf } from "./processes.ts";
import type { Programs } from "./programs.ts";
import type { Pane } from "./tmux.ts";

/** Agents on this host that are in no terminal of ours, as the ones that ssh and docker lead to would be. */
export class Elsewhere {
  readonly agents: Agent[] = [];
  readonly #programs: Programs;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #containers = new Set<string>();

  constructor(programs: Programs, environment: NodeJS.ProcessEnv) {
    this.#programs = programs;
    this.#environment = environment;
  }

  /** Starts an agent without a terminal. */
  start(cwd: string): void {
    const pid = this.#spawn([this.#programs.at("native/claude"), "86399999"], cwd);
    this.agents.push({ pid, harness: "claude", cwd });
  }

  /** Whether an agent runs on a terminal whose device has the same number as a pane's, though it is another one: each
   * mount of devpts counts for itself, as containers have it. The first call starts it. */
  isOnDeviceOf(pane: Pane, mark: string, processes: readonly Seen[]): boolean {
    const inside = `${mark}0`;
    if (!this.#containers.has(inside)) this.#startContainer(pane, inside);
    this.#containers.add(inside);
    const pid = agentMarked(inside, processes, this.#programs);
    if (pid === undefined || statOf(pid)?.tty !== statOf(pane.root)?.tty) return false;
    this.agents.push(agentAt(pid, "claude"));
    return true;
  }

  #startContainer({ tty, cwd }: Pane, mark: string): void {
    const number = Number(/\d+$/.exec(tty)?.[0]);
    const claude = `${this.#programs.at("native/claude")} ${mark}`;
    const script = `
      mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts
      mount --bind /dev/pts/ptmx /dev/ptmx
      for _ in $(seq ${number}); do exec {master}<> /dev/ptmx; done
      exec script -qc '${claude}' /dev/null`;
    this.#spawn(["unshare", "-m", "/bin/bash", "-c", script], cwd);
  }

  #spawn([program = "", ...args]: readonly string[], cwd: string): number {
    const options = { cwd, env: this.#environment, detached: true, stdio: "ignore" } as const;
    const child = spawn(program, args, options);
    child.unref();
    if (child.pid === undefined) throw new Error(`Expected ${program} to start`);
    return child.pid;
  }
}
