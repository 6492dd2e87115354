import { existsSync } from "node:fs";
import { agentMarked } from "./agent.ts";
import type { Elsewhere } from "./elsewhere.ts";
import type { Exhibit } from "./exhibit.ts";
import { all, hasZombie, type Seen, statOf } from "./processes.ts";
import type { Programs } from "./programs.ts";
import type { Pane, Tmux } from "./tmux.ts";

/** How long everything may take to be as it is to be, in milliseconds, on a busy machine. */
const SETTLED_MS = 15_000;

/** An exhibit that has its pane. */
export interface Opened {
  readonly exhibit: Exhibit;
  /** The number by which its processes are found. */
  readonly mark: string;
  readonly cwd: string;
}

interface Scene {
  readonly opened: readonly Opened[];
  readonly outer: Tmux;
  readonly programs: Programs;
  readonly elsewhere: Elsewhere;
}

/** Waits until every exhibit is as it is to be, and says which process is its agent. */
export async function settled(scene: Scene): Promise<Map<Opened, number>> {
  const agents = new Map<Opened, number>();
  const waiting = new Set(scene.opened);
  const until = performance.now() + SETTLED_MS;
  while (waiting.size > 0) {
    if (performance.now() > until) {
      const names = [...waiting].map(({ exhibit }) => exhibit.name);
      throw new Error(`Expected the zoo to settle, still waiting for: ${names.join("; ")}`);
    }
    const processes = all();
    const panes = scene.outer.panes();
    for (const one of waiting) {
      const pane = panes[scene.opened.indexOf(one)];
      if (pane === undefined) continue;
      const isSettled =
        one.exhibit.harness === undefined
          ? hasSettled(one, pane, processes, scene)
          : hasAgent(one, pane, processes, scene, agents);
      if (isSettled) waiting.delete(one);
    }
    await new Promise((turn) => setImmediate(turn));
  }
  return agents;
}

function hasAgent(
  one: Opened,
  { number }: Pane,
  processes: readonly Seen[],
  { outer, programs }: Scene,
  agents: Map<Opened, number>,
): boolean {
  const { stops } = one.exhibit;
  const isFirst = !agents.has(one);
  const pid = agents.get(one) ?? agentMarked(one.mark, processes, programs);
  if (pid === undefined) return false;
  agents.set(one, pid);
  if (isFirst && stops === "key") outer.run(["send-keys", "-t", `%${number}`, "C-z"]);
  if (isFirst && stops === "signal") process.kill(pid, "SIGSTOP");
  return stops === undefined || statOf(pid)?.state === "T";
}

function hasSettled(
  { exhibit, mark }: Opened,
  pane: Pane,
  processes: readonly Seen[],
  { outer, programs, elsewhere }: Scene,
): boolean {
  const isDone = () => existsSync(programs.at(`done/${mark}`));
  const isMarked = ({ argv, exe }: Seen) => argv.includes(mark) && !exe.endsWith("/tmux");
  switch (exhibit.settles) {
    case "done":
      return isDone();
    case "container":
      return isDone() && elsewhere.isOnDeviceOf(pane, mark, processes);
    case "dead":
      // tmux 3.3a now and then misses that a child has ended, and hears of it with the end of the next one.
      if (!pane.isDead) outer.run(["run-shell", "true"]);
      return pane.isDead;
    case "zombie":
      return processes.some((one) => isMarked(one) && hasZombie(one.pid));
    default:
      return existsSync(programs.at(`pids/${mark}`)) || processes.some(isMarked);
  }
}
