import type { ProcessInfo, ProcessKey } from "../../processes/types.ts";
import { sparesSandbox } from "./signal-tree.ts";
import { processesOf, type Tools, type TreeRoot } from "./tree.ts";

/** How long each step of the ladder waits before the next one, in milliseconds. 0 leaves the step out. */
export interface KillPolicy {
  /** After SIGHUP: what a terminal does that goes away. Shells pass it on to their jobs. */
  readonly hangupMs: number;
  /** After SIGTERM, for what ignores the first, such as what runs under nohup. */
  readonly terminateMs: number;
  /** After SIGKILL, which nothing ignores; but the kernel may be at work for a process meanwhile. */
  readonly killMs: number;
}

/** Lets programs put their things in order. All are gone within 2.5 s. */
export const GRACEFUL: KillPolicy = { hangupMs: 800, terminateMs: 700, killMs: 1_000 };
/** At once. */
export const FORCED: KillPolicy = { hangupMs: 0, terminateMs: 0, killMs: 1_000 };

export interface KillOutcome {
  /** What is there still: processes of other users, and such as the kernel does not let go yet. Empty: it is proven by a
   * look at all processes that none is left. */
  readonly left: readonly ProcessKey[];
}

/** Looks whether they have ended come after pauses that grow to this, in milliseconds. */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 100;

/** Ends the program of a terminal and everything that belongs to it (`processesOf` says what does). Each process is asked
 * for its start right before it is signalled, so that nobody else is hit who has its number by then. */
export async function killTree(
  root: TreeRoot,
  tools: Tools,
  policy: KillPolicy = GRACEFUL,
): Promise<KillOutcome> {
  const hunt = new Hunt(root, tools);
  for (const [signal, ms] of [
    ["SIGHUP", policy.hangupMs],
    ["SIGTERM", policy.terminateMs],
    ["SIGKILL", policy.killMs],
  ] as const) {
    if (ms > 0 && (await hunt.step(signal, ms))) return { left: [] };
  }
  return { left: hunt.left };
}

class Hunt {
  readonly #root: TreeRoot;
  readonly #tools: Tools;
  /** Everything that was found and is not known to have ended. */
  #known = new Map<number, ProcessKey>();

  constructor(root: TreeRoot, tools: Tools) {
    this.#root = root;
    this.#tools = tools;
    const { pid, startTick } = root;
    if (startTick !== undefined) this.#known.set(pid, { pid, startTick });
  }

  get left(): ProcessKey[] {
    return [...this.#known.values()]
      .filter((key) => this.#stillThere(key) !== undefined)
      .map(({ pid, startTick }) => ({ pid, startTick }));
  }

  /** Signals all, and what they start meanwhile, until none is left or the time is over. Whether none is left. */
  async step(signal: "SIGHUP" | "SIGTERM" | "SIGKILL", ms: number): Promise<boolean> {
    const { clock } = this.#tools;
    const end = clock.monotonic() + ms;
    const signalled = new Set<string>();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, 2 * pause)) {
      const found = await this.#find();
      if (found?.length === 0) return true;
      for (const process of found ?? []) {
        const name = `${process.pid}/${process.startTick}`;
        if (signalled.has(name)) continue;
        signalled.add(name);
        this.#signal(process, signal);
      }
      const rest = end - clock.monotonic();
      if (rest <= 0) return false;
      await new Promise<void>((resolve) => {
        clock.schedule(Math.min(rest, pause), resolve);
      });
    }
  }

  /** Undefined where the system had nothing left to look with: that says nothing of any process. */
  async #find(): Promise<ProcessInfo[] | undefined> {
    try {
      const found = await processesOf(this.#root, this.#known.values(), this.#tools);
      this.#known = new Map(found.map((process) => [process.pid, process]));
      return found;
    } catch {
      return undefined;
    }
  }

  #stillThere({ pid, startTick }: ProcessKey): ProcessInfo | undefined {
    try {
      const process = this.#tools.table.read(pid);
      return process?.startTick === startTick ? process : undefined;
    } catch {
      return undefined;
    }
  }

  #signal(key: ProcessKey, signal: NodeJS.Signals): void {
    if (sparesSandbox(this.#root, key.pid, signal)) return;
    const current = this.#stillThere(key);
    if (current === undefined) return;
    try {
      process.kill(key.pid, signal);
      // One that is stopped would see it only when it goes on.
      if (signal !== "SIGKILL" && (current.state === "T" || current.state === "t")) {
        process.kill(key.pid, "SIGCONT");
      }
    } catch {
      // It has ended in this moment, or it is another user's.
    }
  }
}
