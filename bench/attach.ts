import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { subscribe } from "../src/client/index.ts";
import { nodeWebSocketTransport } from "../src/client/node.ts";
import type { Subscription } from "../src/client/types.ts";
import { type Classification, classify } from "../src/contract/derivations.ts";
import type { TerminalInfo } from "../src/contract/terminals.ts";
import { distribution } from "./lib/figures.ts";
import { BenchPublisher } from "./lib/publisher.ts";
import { BenchTmux } from "./lib/tmux.ts";

const RUNS = 40;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const now = () => performance.timeOrigin + performance.now();

/** How long after its exec an agent's terminal is *starting*, as a new pane's own process and typed into a shell, and how
 * long after its state file was written it is *attached*; beside a look at everything once a second, which sees each
 * half a second later on average. */
export default async function attach(): Promise<void> {
  const tmux = new BenchTmux();
  const home = join(tmux.folder, "claude");
  mkdirSync(join(home, "sessions"), { recursive: true });
  const options = ["--claude-home", home];
  const publisher = await BenchPublisher.start(tmux.folder, tmux.socket, options);
  const subscription = subscribe({
    transport: nodeWebSocketTransport(publisher.endpoint, { token: publisher.token }),
    topics: ["terminals", "agents"],
  });
  try {
    await subscription.ready("terminals");
    await subscription.ready("agents");
    const watch = new Watch(subscription);
    const scene = { tmux, home, watch };
    const own = await measure(scene, (command) =>
      tmux.run("new-window", "-d", "-t", "work:", command),
    );
    const shell = tmux.run(
      "new-window",
      "-d",
      "-P",
      "-F",
      "#{pane_id}",
      "-t",
      "work:",
      "exec bash --norc --noprofile",
    );
    const typed = await measure(scene, (command) => {
      tmux.run("send-keys", "-t", shell, `( ${command} )`, "Enter");
    });
    console.log(distribution("a pane's own process is starting", own.starting));
    console.log(distribution("typed into a shell it is starting", typed.starting));
    console.log(
      distribution("attached after its state file", [...own.attached, ...typed.attached]),
    );
    console.log(
      "baseline: one look a second                   p50   500.0  max  1000.0 ms, by construction",
    );
    console.log("gate: starting within 60 ms and 1 200 ms, attached within 60 ms");
  } finally {
    subscription.close();
    await publisher.end();
    tmux.end();
  }
}

interface Scene {
  readonly tmux: BenchTmux;
  readonly home: string;
  readonly watch: Watch;
}

/** Starts agents one after another and has each end again. */
async function measure({ tmux, home, watch }: Scene, start: (command: string) => void) {
  const starting: number[] = [];
  const attached: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const note = join(tmux.folder, `agent-${run}-${starting.length}-${Math.random()}`);
    // It says when its exec was over and who it is, and stays.
    const agent = `echo $EPOCHREALTIME $$ > ${note}; exec -a claude cat`;
    start(`exec -a claude bash -c '${agent}'`);
    const { pid, at } = await noteOf(note);
    const seen = await watch.until(({ starting }) => starting.some((row) => row.pid === pid));
    starting.push(seen - at);
    const wrote = now();
    writeFileSync(join(home, "sessions", `${pid}.json`), stateFile(pid));
    const joined = await watch.until(({ attached }) =>
      attached.some(({ terminal }) => terminal.pid === pid),
    );
    attached.push(joined - wrote);
    process.kill(pid, "SIGKILL");
    await watch.until(({ attached }) => attached.length === 0);
    // At no fixed time within the second in which it is looked.
    await after(Math.random() * 300);
  }
  return { starting, attached };
}

async function noteOf(file: string): Promise<{ pid: number; at: number }> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    const [seconds, pid] = text.split(" ");
    if (text.endsWith("\n")) return { pid: Number(pid), at: Number(seconds) * 1_000 };
    await after(1);
  }
}

function stateFile(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const sessionId = `${String(pid).padStart(8, "0")}-1111-4111-8111-111111111111`;
  const rest = { cwd: "/", kind: "interactive", startedAt: Date.now(), status: "idle" };
  return JSON.stringify({ pid, procStart, sessionId, ...rest });
}

/** Waits for what is derived of the rows. */
class Watch {
  readonly #subscription: Subscription<"terminals" | "agents">;
  #waiting: (() => void) | undefined;

  constructor(subscription: Subscription<"terminals" | "agents">) {
    this.#subscription = subscription;
    subscription.on("change", () => this.#waiting?.());
  }

  /** Resolves with the time when it holds. */
  async until(holds: (rows: Classification<TerminalInfo>) => boolean): Promise<number> {
    for (;;) {
      const at = now();
      const { terminals, agents } = this.#rows();
      if (holds(classify(terminals, agents))) return at;
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }

  #rows() {
    const rowsOf = <Topic extends "terminals" | "agents">(topic: Topic) =>
      [...this.#subscription.view(topic).instances.values()].flatMap(({ rows }) => [
        ...rows.values(),
      ]);
    return { terminals: rowsOf("terminals"), agents: rowsOf("agents") };
  }
}
