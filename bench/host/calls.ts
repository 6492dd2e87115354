import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { quantile } from "../lib/figures.ts";
import { BenchTmux } from "../lib/tmux.ts";
import { PrivateHost } from "./lib/private-host.ts";
import { type Figure, report } from "./lib/report.ts";
import { inTurn, timesOf } from "./lib/rounds.ts";
import { TmuxControl } from "./lib/tmux-control.ts";

/** In each of 5 rounds. */
const CALLS = 200;
/** Fewer where each call is a process. */
const PROCESSES = 40;

const LINES = 60;
const line = (number: number) => `line ${number} ${"x".repeat(60)}`;
const run = promisify(execFile);

/** B8. A full screen of a `cat` that echoes: captured, and typed into, on one open connection; beside it the same by tmux's
 * command line, a process for each call, and by one client in control mode. */
export default async function calls(): Promise<void> {
  const host = await PrivateHost.start();
  const tmux = new BenchTmux();
  // Attached to a session of its own, so that it is told of no output.
  const control = new TmuxControl(tmux.socket, "driver");
  try {
    const session = host.connection.session("bench");
    const { id: target } = await session.open({
      cwd: "/",
      env: null,
      exec: ["cat"],
      cols: 80,
      rows: 24,
    });
    const pane = tmux.run(
      "new-session",
      "-d",
      "-P",
      "-F",
      "#{pane_id}",
      "-x",
      "80",
      "-y",
      "24",
      "cat",
    );
    for (let number = 0; number < LINES; number += 1) {
      await session.send({ target, keys: [line(number), "Enter"], literal: false });
      await control.run(`send-keys -t ${pane} "${line(number)}" Enter`);
    }
    const tmuxCommand = (...args: string[]) => run("tmux", ["-S", tmux.socket, ...args]);
    const capture = await inTurn({
      ours: () => timesOf(CALLS, () => session.capture({ target, scrollback: 0 })),
      control: () => timesOf(CALLS, () => control.run(`capture-pane -p -t ${pane}`)),
      command: () => timesOf(PROCESSES, () => tmuxCommand("capture-pane", "-p", "-t", pane)),
    });
    const send = await inTurn({
      ours: () =>
        timesOf(CALLS, () => session.send({ target, keys: ["x", "Enter"], literal: false })),
      control: () => timesOf(CALLS, () => control.run(`send-keys -t ${pane} x Enter`)),
      command: () => timesOf(PROCESSES, () => tmuxCommand("send-keys", "-t", pane, "x", "Enter")),
    });
    report("B8 calls", [...figuresOf("capture", capture), ...figuresOf("send", send)]);
  } finally {
    control.end();
    tmux.end();
    await host.end();
  }
}

function figuresOf(
  call: string,
  { ours, control, command }: Record<"ours" | "control" | "command", number[]>,
): Figure[] {
  return [
    { share: 0.5, name: "p50", goal: { below: 1 } },
    { share: 0.99, name: "p99", goal: { below: 5 } },
  ].map(({ share, name, goal }) => ({
    what: `${call}, ${name} of ${ours.length}`,
    unit: "ms",
    ours: quantile(ours, share),
    goal,
    baselines: { "tmux -C": quantile(control, share), "tmux command": quantile(command, share) },
  }));
}
