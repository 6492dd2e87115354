import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node-pty";
import { hasProgram } from "./lib/has-program.ts";
import { PrivateHost } from "./lib/private-host.ts";
import { type Figure, report } from "./lib/report.ts";
import { after } from "./lib/rounds.ts";

/** Of each shape: with us, and of those beside us, of which few are enough to see. */
const ENDINGS = 200;
const BESIDE = 48;
const AT_ONCE = 8;

/** How long node-pty and tmux are given after they have told an end, in milliseconds: nothing comes later than that. */
const LATE_MS = 300;

/** What a program prints before it ends, whose end is easily lost: much, next to nothing, and some of which the reader takes
 * none until it has ended. Each waits for a line first, so that whoever reads is there. */
const SHAPES = {
  large: { print: "seq 1 100000; echo END", bytes: 688_900, isPaused: false },
  tiny: { print: "printf END", bytes: 3, isPaused: false },
  paused: { print: "seq 1 60000; echo END", bytes: 408_899, isPaused: true },
} as const;
type Shape = keyof typeof SHAPES;

const script = (shape: Shape) => `stty -echo; printf ready; read -r _; ${SHAPES[shape].print}`;
/** What is printed before that. */
const READY = "ready".length;

/** B1. Programs print and end at once, eight at a time: how many of the endings lose a byte. */
export default async function endings(): Promise<void> {
  const host = await PrivateHost.start(["--max-terminals", "64"]);
  const folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  const tmux = hasProgram("tmux") ? new TmuxPipes(folder) : undefined;
  try {
    const figures: Figure[] = [];
    for (const shape of Object.keys(SHAPES) as Shape[]) {
      const began = performance.now();
      const ours = await lossesOf(ENDINGS, () => ourEnding(host, shape));
      const tookMs = performance.now() - began;
      const nodePty = await lossesOf(BESIDE, () => nodePtyEnding(shape));
      const piped = tmux && (await lossesOf(BESIDE, () => tmux.ending(shape)));
      const share = (losses: number) => (losses / BESIDE) * 100;
      figures.push({
        what: `${shape}: endings of ${ENDINGS} that lost bytes`,
        unit: "%",
        ours: (ours / ENDINGS) * 100,
        goal: { below: 100 / ENDINGS },
        baselines: {
          "node-pty": share(nodePty),
          "tmux pipe-pane": piped === undefined ? undefined : share(piped),
        },
      });
      figures.push({ what: `${shape}: each, eight at once`, unit: "ms", ours: tookMs / ENDINGS });
    }
    report("B1 endings", figures);
  } finally {
    tmux?.end();
    await host.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How many of so many endings lost bytes. */
async function lossesOf(count: number, ending: () => Promise<boolean>): Promise<number> {
  let [begun, losses] = [0, 0];
  const work = async () => {
    while (begun < count) {
      begun += 1;
      if (!(await ending())) losses += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return losses;
}

/** Whether all came: counted by the host, its last line in what the wait for the end answers, and shown to a viewer where that
 * paused. */
async function ourEnding(host: PrivateHost, shape: Shape): Promise<boolean> {
  const { bytes, isPaused } = SHAPES[shape];
  const session = host.connection.session("endings");
  const options = { cwd: "/", env: null, exec: ["sh", "-c", script(shape)], cols: 80, rows: 24 };
  const { id: target } = await session.open(options);
  const viewer = isPaused ? await PausedViewer.open(host, target) : undefined;
  await session.read({ target, wait: { until: "match", pattern: "ready", timeoutMs: 10_000 } });
  const reading = session.read({ target, wait: { until: "exit", timeoutMs: 30_000 } });
  await session.send({ target, keys: ["Enter"], literal: false });
  const { text } = await reading;
  const { offset } = await session.cursor({ target });
  const isShown = viewer === undefined || (await viewer.goOn());
  await session.close({ target });
  return offset === bytes + READY && text.trimEnd().endsWith("END") && isShown;
}

/** Takes nothing until it goes on. */
class PausedViewer {
  readonly #held: (() => void)[] = [];
  #isPaused = true;
  #end = "";
  #exited: () => void = () => {};
  #leave: () => void = () => {};

  static async open(host: PrivateHost, id: string): Promise<PausedViewer> {
    const paused = new PausedViewer();
    const viewer = await host.connection.attach(id, {
      output(bytes, consumed) {
        paused.#end = (paused.#end + Buffer.from(bytes).toString("latin1")).slice(-16);
        if (paused.#isPaused) paused.#held.push(consumed);
        else consumed();
      },
      exited: () => paused.#exited(),
    });
    paused.#leave = () => viewer.leave();
    return paused;
  }

  /** Answers whether the last line comes. */
  async goOn(): Promise<boolean> {
    const exited = new Promise<void>((resolve) => {
      this.#exited = resolve;
    });
    this.#isPaused = false;
    for (const consumed of this.#held) consumed();
    await exited;
    this.#leave();
    return this.#end.includes("END");
  }
}

async function nodePtyEnding(shape: Shape): Promise<boolean> {
  const { bytes, isPaused } = SHAPES[shape];
  const pty = spawn("sh", ["-c", script(shape)], { cols: 80, rows: 24, encoding: null });
  const exited = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  let received = 0;
  await new Promise<void>((resolve) => {
    pty.onData((data) => {
      received += data.length;
      if (received >= READY) resolve();
    });
  });
  if (isPaused) pty.pause();
  pty.write("\r");
  // Who pauses is not told the end before it goes on.
  if (isPaused) setTimeout(() => pty.resume(), LATE_MS);
  await exited;
  await after(LATE_MS);
  return received === bytes + READY;
}

/** tmux writes what a pane prints into a file. It has no reader that could pause. */
class TmuxPipes {
  readonly #folder: string;
  #begun = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#run("new-session", "-d", "-s", "keep", "exec cat");
  }

  async ending(shape: Shape): Promise<boolean> {
    this.#begun += 1;
    const file = join(this.#folder, `${this.#begun}`);
    const format = ["-P", "-F", "#{pane_id}"];
    const pane = this.#run("new-window", "-d", ...format, "sh", "-c", script(shape));
    this.#run("pipe-pane", "-t", pane, `exec cat > ${file}`);
    await after(50);
    this.#run("send-keys", "-t", pane, "Enter");
    while (this.#run("list-panes", "-s", "-F", "#{pane_id}").split("\n").includes(pane))
      await after(20);
    await after(LATE_MS);
    return readFileSync(file).length >= SHAPES[shape].bytes;
  }

  end(): void {
    this.#run("kill-server");
  }

  #run(...command: string[]): string {
    const args = ["-f", "/dev/null", "-S", join(this.#folder, "tmux"), ...command];
    const env = { ...process.env, TMUX: "" };
    return execFileSync("tmux", args, { encoding: "utf8", env }).trim();
  }
}
