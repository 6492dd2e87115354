import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuMeter } from "../lib/publisher.ts";
import { BenchTmux } from "../lib/tmux.ts";
import { PrivateHost } from "./lib/private-host.ts";
import { type Figure, report } from "./lib/report.ts";
import { after } from "./lib/rounds.ts";
import { isRunning } from "./lib/until-gone.ts";

const QUEUED = 1024 * 1024;
/** Lines, as a terminal that edits them keeps no longer ones. */
const INPUT = `${"y".repeat(63)}\n`.repeat(QUEUED / 64);
const MEASURED_MS = 8_000;
/** How long an interrupt is given. */
const INTERRUPT_MS = 3_000;
const PROGRAM = ["sleep", "1000"] as const;

/** What came of one that does not read. */
interface Stuck {
  /** CPU of whoever has the input queued, in percent. */
  readonly cpu: number;
  /** From Ctrl-C to the program's end, in milliseconds; infinite where that did not come. */
  readonly interrupt: number;
}

/** node-pty as it is used by everybody, in a process of its own. It says when it is ready and when the program has ended. */
const NODE_PTY = `
const { spawn } = require(process.argv[1]);
const pty = spawn("sleep", ["1000"], { cols: 80, rows: 24 });
pty.onData(() => {});
pty.onExit(() => { process.stdout.write("ended\\n"); });
process.stdin.on("data", (text) => { pty.write(String(text) === "interrupt\\n" ? "\\x03" : ${JSON.stringify(INPUT.slice(0, 64))}.repeat(${QUEUED / 64})); });
process.stdout.write(pty.pid + "\\n");
`;

/** B11. 1 MiB is typed into a program that does not read: what waiting for it costs, and whether Ctrl-C still ends it. */
export default async function stuckReader(): Promise<void> {
  const ours = await ourStuck();
  const nodePty = await nodePtyStuck();
  const tmux = await tmuxStuck();
  const cpu: Figure = {
    what: "CPU with 1 MiB typed into `sleep`",
    unit: "%",
    ours: ours.cpu,
    goal: { below: 2 },
    baselines: { "node-pty": nodePty.cpu, tmux: tmux.cpu },
  };
  const interrupt: Figure = {
    what: `Ctrl-C to its end (none in ${INTERRUPT_MS / 1_000} s: Infinity)`,
    unit: "ms",
    ours: ours.interrupt,
    goal: { below: INTERRUPT_MS },
    baselines: { "node-pty": nodePty.interrupt, tmux: tmux.interrupt },
  };
  report("B11 stuck reader", [cpu, interrupt]);
}

async function ourStuck(): Promise<Stuck> {
  const host = await PrivateHost.start();
  try {
    const session = host.connection.session("stuck");
    const { id } = await session.open({
      cwd: "/",
      env: null,
      exec: [...PROGRAM],
      cols: 80,
      rows: 24,
    });
    const viewer = await host.connection.attach(id, { output: (_, consumed) => consumed() });
    viewer.write(Buffer.from(INPUT));
    const cpu = await shareOf([host.pid]);
    const reading = session.read({ target: id, wait: { until: "exit", timeoutMs: INTERRUPT_MS } });
    await session.cursor({ target: id });
    const interrupt = await timed(async () => {
      viewer.write(Buffer.from("\x03"));
      return (await reading).waited === "exit";
    });
    viewer.leave();
    return { cpu, interrupt };
  } finally {
    await host.end();
  }
}

async function nodePtyStuck(): Promise<Stuck> {
  const path = new URL("../../node_modules/node-pty/lib/index.js", import.meta.url).pathname;
  const child = spawn(process.execPath, ["-e", NODE_PTY, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  try {
    child.stdin.write("queue\n");
    const cpu = await shareOf([child.pid as number]);
    const interrupt = await timed(() => {
      child.stdin.write("interrupt\n");
      return saysSoon(child);
    });
    return { cpu, interrupt };
  } finally {
    endIfRunning(Number(said.toString()));
    child.kill("SIGKILL");
  }
}

async function saysSoon(child: ChildProcess): Promise<boolean> {
  if (child.stdout === null) return false;
  return Promise.race([
    once(child.stdout, "data").then(() => true),
    after(INTERRUPT_MS).then(() => false),
  ]);
}

async function tmuxStuck(): Promise<Stuck> {
  const tmux = new BenchTmux();
  try {
    const format = "#{pane_id} #{pane_pid}";
    const [pane = "", pid] = tmux
      .run("new-session", "-d", "-P", "-F", format, ...PROGRAM)
      .split(" ");
    const file = join(tmux.folder, "paste");
    writeFileSync(file, INPUT);
    tmux.run("load-buffer", "-b", "paste", file);
    tmux.run("paste-buffer", "-r", "-b", "paste", "-t", pane);
    const cpu = await shareOf([tmux.pid]);
    const interrupt = await timed(async () => {
      tmux.run("send-keys", "-t", pane, "C-c");
      const end = performance.now() + INTERRUPT_MS;
      while (isRunning(Number(pid)) && performance.now() < end) await after(1);
      return !isRunning(Number(pid));
    });
    return { cpu, interrupt };
  } finally {
    tmux.end();
  }
}

/** Of a processor, in percent, from a second after now. */
async function shareOf(pids: readonly number[]): Promise<number> {
  await after(1_000);
  const meters = pids.map(cpuMeter);
  await after(MEASURED_MS);
  return (meters.reduce((sum, meter) => sum + meter(), 0) / MEASURED_MS) * 100;
}

/** How long it takes, in milliseconds; infinitely where it does not succeed. */
async function timed(task: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  return (await task()) ? performance.now() - began : Number.POSITIVE_INFINITY;
}

function endIfRunning(pid: number): void {
  if (isRunning(pid)) process.kill(pid, "SIGKILL");
}
