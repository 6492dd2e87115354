import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Subscription, subscribe } from "../src/client/index.ts";
import { nodeWebSocketTransport } from "../src/client/node.ts";
import { HARNESS_COMMANDS } from "../src/contract/derivations.ts";
import type { TerminalInfo } from "../src/contract/terminals.ts";
import { ClaudeHome } from "../test/agents/zoo/state-files.ts";
import { type Cage, Zoo } from "../test/agents/zoo/zoo.ts";
import { BenchPublisher } from "./lib/publisher.ts";

/** How long is waited for rows that are right, in milliseconds. What is wrong by then counts as wrong. */
const WAIT_MS = 10_000;

/** Says which agents a rule takes a pane for the terminal of. Absent where a rule names no process: then the agent in
 * the pane is meant, if it has one. */
type Rule = (cage: Cage) => readonly (number | undefined)[];

/** Whose terminals are: for every pane of the zoo what termtopic says, by the processes alone and with the state files
 * of the agents; beside three simple rules. */
export default async function accuracy(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "termtopic-bench-"));
  const zoo = await Zoo.open();
  const end = () => {
    zoo.end();
    rmSync(folder, { recursive: true, force: true });
  };
  // Also where the benchmark is cut short: nobody else knows of its processes.
  process.once("exit", end);
  try {
    await compare(zoo, folder);
  } finally {
    process.off("exit", end);
    end();
  }
}

async function compare(zoo: Zoo, folder: string): Promise<void> {
  const agents = zoo.cages.filter(({ agent }) => agent !== undefined).length;
  console.log(
    `${zoo.cages.length} terminals: ${agents} with an agent, ${zoo.cages.length - agents} decoys; ${zoo.elsewhere.length} agents elsewhere`,
  );
  for (const name of zoo.skipped) console.log(`  left out, not possible here: ${name}`);
  const home = new ClaudeHome(join(folder, "claude"));
  const [outer = "", ...others] = zoo.sockets;
  const sockets = others.flatMap((socket) => ["--tmux-socket", socket]);
  const publisher = await BenchPublisher.start(folder, outer, [
    ...sockets,
    ...["--claude-home", home.folder],
  ]);
  const subscription = subscribe({
    transport: nodeWebSocketTransport(publisher.endpoint, { token: publisher.token }),
    topics: ["terminals", "agents"],
  });
  try {
    await subscription.ready("terminals");
    print("termtopic, by the processes alone", zoo, byRows(subscription.rows("terminals")));
    const began = performance.now();
    for (const { pid, harness, cwd } of zoo.agents) if (harness === "claude") home.state(pid, cwd);
    const withFiles = pidsOf(zoo, "claude");
    await whenAttached(subscription, withFiles);
    const took = performance.now() - began;
    // What keeps no such file is stated without a session after some time.
    await whenAttached(subscription, pidsOf(zoo, "codex"));
    const attached = subscription.rows("terminals").filter(isAttached(subscription));
    print("termtopic, with the agents' state files", zoo, byRows(attached));
    console.log(
      `  ${withFiles.length} state files were written at once, and all attached after ${Math.round(took)} ms`,
    );
    print("baseline: argv[0] of the pane's process", zoo, byRoot);
    print("baseline: the foreground command", zoo, byForeground);
    print("baseline: the same working directory", zoo, byCwd(zoo));
    console.log("gate: termtopic has precision and recall 100 %");
  } finally {
    subscription.close();
    await publisher.end();
  }
}

type Subscribed = Subscription<"terminals" | "agents">;

const isAttached = (subscription: Subscribed) => {
  const runs = new Set(subscription.rows("agents").map(({ pid }) => pid));
  return ({ pid }: TerminalInfo) => pid !== undefined && runs.has(pid);
};

const pidsOf = (zoo: Zoo, name: string) =>
  zoo.cages.flatMap(({ agent }) => (agent?.harness === name ? agent.pid : []));

/** Resolves when each of these agents is attached to a row, or has had its time. */
function whenAttached(subscription: Subscribed, wanted: readonly number[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      cancel();
      resolve();
    };
    const look = () => {
      const rows = subscription.rows("terminals").filter(isAttached(subscription));
      const pids = new Set(rows.map(({ pid }) => pid));
      if (wanted.every((pid) => pids.has(pid))) done();
    };
    const timer = setTimeout(done, WAIT_MS);
    const cancel = subscription.on("change", look);
    look();
  });
}

const isHarness = (name: string | undefined) =>
  HARNESS_COMMANDS.some((harness) => harness === name);

/** Ours: the process of a row, where a harness is stated there. */
function byRows(rows: readonly TerminalInfo[]): Rule {
  const byPane = new Map(
    rows.map((row) => [/^tmux:.*@(\d+)\.\d+\/(\d+)$/.exec(row.id)?.slice(1).join("/"), row]),
  );
  return ({ pane: { server, number } }) => {
    const row = byPane.get(`${server}/${number}`);
    return row?.pid !== undefined && isHarness(row.command[0]) ? [row.pid] : [];
  };
}

const byRoot: Rule = ({ pane: { root, isDead } }) => {
  if (isDead) return [];
  const argv = readFileSync(`/proc/${root}/cmdline`, "utf8").split("\0");
  return isHarness(basename(argv[0] ?? "")) ? [root] : [];
};

const byForeground: Rule = ({ pane: { command } }) => (isHarness(command) ? [undefined] : []);

const byCwd = (zoo: Zoo): Rule => {
  const agents = zoo.agents;
  return ({ pane }) => agents.filter(({ cwd }) => cwd === pane.cwd).map(({ pid }) => pid);
};

function print(name: string, zoo: Zoo, rule: Rule): void {
  let said = 0;
  let right = 0;
  let wanted = 0;
  for (const cage of zoo.cages) {
    const pids = rule(cage);
    said += pids.length;
    if (cage.agent === undefined) continue;
    const { pid } = cage.agent;
    wanted += 1;
    right += pids.filter((one) => one === undefined || one === pid).length;
  }
  const share = (of: number) => `${((100 * right) / of).toFixed(1).padStart(5)} %`;
  console.log(
    `  ${name.padEnd(42)} precision ${share(said)}  recall ${share(wanted)}  ${right} of ${said} right, ${wanted} to find`,
  );
}
