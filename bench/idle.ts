import { spawn } from "node:child_process";
import { subscribe } from "../src/client/index.ts";
import { nodeWebSocketTransport } from "../src/client/node.ts";
import { BenchPublisher, childrenOf, cpuMeter } from "./lib/publisher.ts";
import { BenchTmux } from "./lib/tmux.ts";

const PANES = 200;
const SECONDS = 30;
/** How long each is left alone before it is measured: what has just begun compiles and collects. */
const SETTLE_MS = 15_000;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A poll as simple as can be: list the panes once a second and compare with the last list. */
const POLL = `
const { execFile } = require("node:child_process");
let last;
setInterval(() => execFile("tmux", ["-S", process.argv[1], "list-panes", "-a", "-F",
  "#{pane_id} #{pane_pid} #{pane_dead} #{pane_width} #{pane_height} #{pane_current_command} #{pane_current_path}"],
  (_, stdout) => { const rows = stdout.split("\\n").map((line) => line.split(" "));
    const now = JSON.stringify(rows); if (now !== last) last = now; }), 1000);
`;

/** What a quiet host with 200 panes costs: the publisher with nobody subscribed, with one subscriber, and a poll
 * once a second; and what each makes the tmux server do. */
export default async function idle(): Promise<void> {
  const tmux = new BenchTmux();
  for (let pane = 2; pane < PANES; pane += 1)
    tmux.run("new-window", "-d", "-t", "work:", "exec cat");
  const publisher = await BenchPublisher.start(tmux.folder, tmux.socket);
  const transport = nodeWebSocketTransport(publisher.endpoint, { token: publisher.token });
  try {
    await after(SETTLE_MS);
    await measure("publisher, no subscriber", publisher.pid, tmux.pid);
    const subscription = subscribe({ transport, topics: ["terminals"] });
    const rows = await subscription.ready("terminals");
    let frames = 0;
    subscription.on("frame", () => {
      frames += 1;
    });
    await after(SETTLE_MS);
    await measure(`publisher, one subscriber, ${rows.length} rows`, publisher.pid, tmux.pid);
    console.log(`  ${frames} frames, bookmarks included`);
    subscription.close();
    const poll = spawn(process.execPath, ["-e", POLL, tmux.socket], { stdio: "ignore" });
    await after(SETTLE_MS);
    await measure("baseline: poll every 1 s", poll.pid as number, tmux.pid);
    poll.kill();
    console.log("goal: no subscriber < 0.1 % and no child; one subscriber < 0.5 %");
  } finally {
    await publisher.end();
    tmux.end();
  }
}

async function measure(name: string, pid: number, server: number): Promise<void> {
  const meters = [cpuMeter(pid), cpuMeter(server)] as const;
  let most = 0;
  const end = performance.now() + SECONDS * 1_000;
  while (performance.now() < end) {
    most = Math.max(most, childrenOf(pid).length);
    await after(250);
  }
  const share = (used: number) => `${(used / (SECONDS * 10)).toFixed(3)} %`;
  const [own, theirs] = [meters[0](), meters[1]()];
  console.log(
    `${name.padEnd(40)} CPU ${share(own).padStart(9)}  tmux server ${share(theirs).padStart(9)}  children seen ${most}`,
  );
}
