import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** The publisher as people run it, in a process of its own. */
export class BenchPublisher {
  readonly endpoint: string;
  readonly token: string;
  readonly pid: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, endpoint: string, token: string) {
    this.#child = child;
    this.pid = child.pid as number;
    this.endpoint = endpoint;
    this.token = token;
  }

  /** `more`: options beside those that keep it to itself. */
  static async start(
    folder: string,
    socket: string,
    more: readonly string[] = [],
  ): Promise<BenchPublisher> {
    const state = join(folder, "state");
    const ready = join(folder, "ready.json");
    const args = ["serve", "--port", "0", "--ready-file", ready, "--tmux-socket", socket];
    const child = spawn(process.execPath, [PROGRAM, ...args, ...more], {
      env: {
        ...process.env,
        TERMTOPIC_STATE_DIR: state,
        TERMTOPIC_RUNTIME_DIR: join(folder, "run"),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    // It says where it is once it listens.
    await once(child.stdout, "data");
    const { endpoint } = JSON.parse(readFileSync(ready, "utf8")) as { endpoint: string };
    return new BenchPublisher(child, endpoint, readFileSync(join(state, "token"), "utf8").trim());
  }

  async end(): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await exited;
  }
}

/** What tells the processor time that a process uses from now on, its ended children included, in milliseconds. Of a thread
 * that ends meanwhile what it used is not known, and counts as nothing. */
export function cpuMeter(pid: number): () => number {
  const threads = threadsMs(pid);
  const children = endedChildrenMs(pid);
  return () => {
    let used = endedChildrenMs(pid) - children;
    for (const [thread, ms] of threadsMs(pid)) used += ms - (threads.get(thread) ?? 0);
    return used;
  };
}

function threadsMs(pid: number): Map<string, number> {
  const used = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    used.set(thread, Number(nanoseconds) / 1e6);
  }
  return used;
}

/** cutime and cstime, fields 16 and 17 of proc(5), in ticks of 10 ms. */
function endedChildrenMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 4).split(" ")[0]) === pid
        ? [Number(entry)]
        : [];
    } catch {
      return [];
    }
  });
}
