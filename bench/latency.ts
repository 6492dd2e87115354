import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { subscribe } from "../src/client/index.ts";
import { nodeWebSocketTransport } from "../src/client/node.ts";
import { distribution } from "./lib/figures.ts";
import { BenchPublisher } from "./lib/publisher.ts";
import { BenchTmux } from "./lib/tmux.ts";

const PANES = 10;
const CHANGES = 200;
const EVERY_MS = 100;
/** How many panes are open beyond PANES before the oldest of them is closed, so that each lives for seconds. */
const OPEN_BEYOND = 20;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const isPane = ({ id }: { readonly id: string }) => id.startsWith("tmux:");
const paneNumber = (id: string) => Number(id.slice(id.lastIndexOf("/") + 1));

/** From a detached split in a session nobody is attached to, or the end of a pane, to the frame at a WebSocket
 * subscriber; beside it, when a poll once a second sees the same panes. 10 changes a second. */
export default async function latency(): Promise<void> {
  const tmux = new BenchTmux();
  for (let pane = 2; pane < PANES; pane += 1) split(tmux);
  tmux.run("select-layout", "-t", "work", "tiled");
  const publisher = await BenchPublisher.start(tmux.folder, tmux.socket);
  const subscription = subscribe({
    transport: nodeWebSocketTransport(publisher.endpoint, { token: publisher.token }),
    topics: ["terminals"],
  });
  try {
    // Beside the panes there are the host's other terminals.
    const rows = (await subscription.ready("terminals")).filter(isPane);
    const done = new Map<string, number>();
    const seen = new Map<string, number>();
    const polled = new Map<string, number>();
    subscription.on("change", ({ changed, removed }) => {
      const at = performance.now();
      for (const { id } of changed.filter(isPane)) note(seen, `open ${paneNumber(id)}`, at);
      for (const { id } of removed.filter(isPane)) note(seen, `close ${paneNumber(id)}`, at);
    });
    const poll = pollEverySecond(tmux, polled);
    let next = Math.max(...rows.map(({ id }) => paneNumber(id))) + 1;
    const open: number[] = [];
    for (let change = 0; change < CHANGES; change += 1) {
      const due = performance.now() + EVERY_MS;
      const oldest =
        open.length > OPEN_BEYOND || (change % 2 === 1 && open.length > 5)
          ? open.shift()
          : undefined;
      if (oldest === undefined) {
        tmux.send("select-layout -t work tiled ; split-window -d -t work exec\\ cat");
        done.set(`open ${next}`, performance.now());
        open.push(next);
        next += 1;
      } else {
        tmux.send(`kill-pane -t %${oldest}`);
        done.set(`close ${oldest}`, performance.now());
      }
      await after(due - performance.now());
    }
    await after(2_000);
    poll.stop();
    const delays = (kind: string, by: ReadonlyMap<string, number>) => {
      const changes = [...done].filter(([change]) => change.startsWith(kind));
      const found = changes.flatMap(([change, at]) =>
        by.has(change) ? [(by.get(change) as number) - at] : [],
      );
      return [found, changes.length - found.length] as const;
    };
    console.log(distribution("pane opens, to frame", ...delays("open", seen)));
    console.log(distribution("pane closes, to frame", ...delays("close", seen)));
    console.log(distribution("baseline: poll every 1 s, pane opens", ...delays("open", polled)));
    console.log(distribution("baseline: poll every 1 s, pane closes", ...delays("close", polled)));
    console.log("gate: opens p50 < 25 ms, p99 < 60 ms; goal: p50 < 10 ms, p99 < 50 ms");
  } finally {
    subscription.close();
    await publisher.end();
    tmux.end();
  }
}

function split(tmux: BenchTmux): void {
  tmux.run("split-window", "-d", "-t", "work", "exec cat");
  tmux.run("select-layout", "-t", "work", "tiled");
}

function note(times: Map<string, number>, change: string, at: number): void {
  if (!times.has(change)) times.set(change, at);
}

/** What a dashboard without a publisher does: list all panes once a second. */
function pollEverySecond(tmux: BenchTmux, times: Map<string, number>): { stop(): void } {
  const run = promisify(execFile);
  let before = new Set<number>();
  const timer = setInterval(async () => {
    const { stdout } = await run("tmux", [
      "-S",
      tmux.socket,
      "list-panes",
      "-a",
      "-F",
      "#{pane_id}",
    ]);
    const at = performance.now();
    const now = new Set(
      stdout
        .trim()
        .split("\n")
        .map((id) => Number(id.slice(1))),
    );
    for (const pane of now) note(times, `open ${pane}`, at);
    for (const pane of before) if (!now.has(pane)) note(times, `close ${pane}`, at);
    before = now;
  }, 1_000);
  return { stop: () => clearInterval(timer) };
}
