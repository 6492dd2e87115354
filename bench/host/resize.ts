import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn as spawnShipped } from "node-pty";
import { BenchTmux } from "../lib/tmux.ts";
import { PrivateHost } from "./lib/private-host.ts";
import { Redraw } from "./lib/redraw.ts";
import { report } from "./lib/report.ts";
import { after } from "./lib/rounds.ts";
import { TmuxControl } from "./lib/tmux-control.ts";

const RESIZES = 500;
const STORM_MS = 2_000;
const LAST = { cols: 101, rows: 31 };
const FIRST = { cols: 80, rows: 24 };
/** Until everything has been drawn. */
const SETTLE_MS = 1_500;

type Resize = (cols: number, rows: number) => void;

/** What the storm came to: how often the program was told, and what is shown at the end and by a fresh run. */
interface Storm {
  readonly told: number;
  readonly shown: string;
  readonly fresh: string;
}

/** B12. A window is dragged: 500 sizes in 2 s, with a program in it that draws everything anew for each that it is told. */
export default async function resize(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  try {
    const ours = await ourStorm(folder);
    const tmux = await tmuxStorm(folder);
    const nodePty = await nodePtyTold(folder);
    const isLast = ({ shown }: Storm) => Number(shown.includes(`${LAST.cols}x${LAST.rows}`));
    const isFresh = ({ shown, fresh }: Storm) => Number(shown === fresh);
    report("B12 resize storm", [
      {
        what: `SIGWINCH of ${RESIZES} sizes`,
        unit: "",
        ours: ours.told,
        goal: { below: 26 },
        baselines: { tmux: tmux.told, "node-pty": nodePty },
      },
      {
        what: "the last size is shown (1: yes)",
        unit: "",
        ours: isLast(ours),
        goal: { atLeast: 1 },
        baselines: { tmux: isLast(tmux) },
      },
      {
        what: "the screen is a fresh run's (1: yes)",
        unit: "",
        ours: isFresh(ours),
        goal: { atLeast: 1 },
        baselines: { tmux: isFresh(tmux) },
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same sizes for everybody, the last one at the end. */
async function storm(resizeTo: Resize): Promise<void> {
  const began = performance.now();
  for (let made = 0; made < RESIZES - 1; made += 1) {
    resizeTo(60 + ((made * 7) % 80), 20 + ((made * 3) % 30));
    await after(began + (made * STORM_MS) / RESIZES - performance.now());
  }
  resizeTo(LAST.cols, LAST.rows);
  await after(SETTLE_MS);
}

async function ourStorm(folder: string): Promise<Storm> {
  const host = await PrivateHost.start();
  try {
    const session = host.connection.session("storm");
    const open = async (redraw: Redraw, size: typeof FIRST) =>
      (await session.open({ cwd: "/", env: null, exec: [...redraw.command], ...size })).id;
    const show = async (target: string) =>
      (await session.capture({ target, scrollback: 0, escapes: true })).text;
    const redraw = new Redraw(folder, "ours");
    const id = await open(redraw, FIRST);
    const viewer = await host.connection.attach(id, { output: (_, consumed) => consumed() });
    await after(SETTLE_MS);
    await storm((cols, rows) => viewer.resize(cols, rows));
    const fresh = await open(new Redraw(folder, "fresh"), LAST);
    await after(SETTLE_MS);
    viewer.leave();
    return { told: redraw.told, shown: await show(id), fresh: await show(fresh) };
  } finally {
    await host.end();
  }
}

/** Of a client in control mode, whose size the window follows. */
async function tmuxStorm(folder: string): Promise<Storm> {
  const tmux = new BenchTmux();
  const open = (redraw: Redraw, name: string, { cols, rows }: typeof FIRST) => {
    const size = ["-x", String(cols), "-y", String(rows)];
    return tmux.run("new-session", "-d", "-s", name, ...size, ...redraw.command);
  };
  const show = (name: string) => tmux.run("capture-pane", "-p", "-e", "-t", name);
  tmux.run("set-option", "-g", "status", "off");
  const redraw = new Redraw(folder, "tmux");
  open(redraw, "storm", FIRST);
  const control = new TmuxControl(tmux.socket, "storm");
  try {
    await after(SETTLE_MS);
    await storm((cols, rows) => void control.run(`refresh-client -C ${cols}x${rows}`));
    open(new Redraw(folder, "tmux-fresh"), "fresh", LAST);
    await after(SETTLE_MS);
    return { told: redraw.told, shown: show("storm"), fresh: show("fresh") };
  } finally {
    control.end();
    tmux.end();
  }
}

async function nodePtyTold(folder: string): Promise<number> {
  const redraw = new Redraw(folder, "node-pty");
  const [file, ...args] = redraw.command;
  const pty = spawnShipped(file, args, FIRST);
  pty.onData(() => {});
  try {
    await after(SETTLE_MS);
    await storm((cols, rows) => pty.resize(cols, rows));
    return redraw.told;
  } finally {
    pty.kill("SIGKILL");
  }
}
