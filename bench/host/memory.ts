import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionCalls } from "../../src/host/index.ts";
import { BenchTmux } from "../lib/tmux.ts";
import { memoryOf } from "./lib/memory.ts";
import { PrivateHost } from "./lib/private-host.ts";
import { type Figure, report } from "./lib/report.ts";
import { after } from "./lib/rounds.ts";

const COUNTS = [1, 50, 200];
const SIZE = { cols: 80, rows: 24 };
const LINES = 1_000;
/** How long after its last output a screen is frozen (src/host/freezing.ts), and a while until its memory was given
 * back (src/host/screen/collecting.ts). */
const FREEZING_MS = 60_000 + 8_000;
/** Until what was just done has been parsed. */
const SETTLE_MS = 2_000;

/** Waits to be told, writes coloured lines as wide as the screen, and then only shows what is typed. */
const FILL = `read -r word
for ((i = 1; i <= ${LINES + SIZE.rows}; i++)); do
  printf '\\033[3%dm%06d\\033[0m %s\\n' $((i % 8)) $i '${"some text ".repeat(8).slice(0, SIZE.cols - 8)}'
done
exec cat`;
const LAST = String(LINES + SIZE.rows).padStart(6, "0");

/** What a system with so many terminals has more than before it had one, in MB. */
interface Memory {
  readonly empty: number;
  readonly filled: number;
  /** Absent for one that has nothing like it. */
  readonly frozen?: number;
}

/** B10. What terminals add to a host, empty, filled with 1 000 lines of history, and when they have been quiet for a
 * minute; and to a tmux server. The first one has with it what all of them share, and of 50 and 200 it is told what each
 * beside the first adds. */
export default async function memory(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  const script = join(folder, "fill.sh");
  writeFileSync(script, FILL);
  try {
    const running = COUNTS.map((count) => ourMemory(count, script));
    const theirs = new Map<number, Memory>();
    for (const count of COUNTS) theirs.set(count, await tmuxMemory(count, script));
    const ours = await Promise.all(running);
    const systems = COUNTS.map((count, at) => ({ count, ours: ours[at], tmux: theirs.get(count) }));
    report(
      "B10 memory",
      systems.flatMap((system) => figuresOf(system, ours[0], theirs.get(1))),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly count: number;
  readonly ours: Memory | undefined;
  readonly tmux: Memory | undefined;
}

function figuresOf(
  { count, ours, tmux }: Measured,
  ourFirst: Memory | undefined,
  tmuxFirst: Memory | undefined,
): Figure[] {
  if (ours === undefined || tmux === undefined) return [];
  const isFirst = count === 1;
  const each = (all: number, first = 0) => (isFirst ? all : (all - first) / (count - 1));
  const figure = (what: string, value: number, baseline: number) => ({
    what: isFirst ? `the first, ${what}` : `each further of ${count}, ${what}`,
    unit: "MB",
    ours: value,
    baselines: { tmux: baseline },
  });
  const tmuxFilled = each(tmux.filled, tmuxFirst?.filled);
  return [
    figure("empty", each(ours.empty, ourFirst?.empty), each(tmux.empty, tmuxFirst?.empty)),
    {
      ...figure(`${LINES} lines`, each(ours.filled, ourFirst?.filled), tmuxFilled),
      ...(isFirst ? {} : { goal: { below: 2.5 } }),
    },
    {
      ...figure("frozen", each(ours.frozen ?? Number.NaN, ourFirst?.frozen), tmuxFilled),
      ...(isFirst ? {} : { goal: { below: 0.4 } }),
    },
  ];
}

async function ourMemory(count: number, script: string): Promise<Memory> {
  const most = String(count);
  const host = await PrivateHost.start(["--max-terminals", most, "--max-session-terminals", most]);
  try {
    const session = host.connection.session("memory");
    await after(SETTLE_MS);
    const before = memoryOf(host.pid);
    const more = () => memoryOf(host.pid) - before;
    const ids: string[] = [];
    for (let opened = 0; opened < count; opened += 1) {
      const options = { cwd: "/", env: null, exec: ["bash", script], ...SIZE };
      ids.push((await session.open(options)).id);
    }
    await after(SETTLE_MS);
    const empty = more();
    for (const id of ids) await fill(session, id);
    await after(SETTLE_MS);
    const filled = more();
    await after(FREEZING_MS);
    return { empty, filled, frozen: more() };
  } finally {
    await host.end();
  }
}

async function fill(session: SessionCalls, target: string): Promise<void> {
  await session.send({ target, keys: ["Enter"], literal: false });
  const wait = { until: "match", pattern: `^${LAST}`, timeoutMs: 20_000 } as const;
  const { waited } = await session.read({ target, wait });
  if (waited !== "match") throw new Error(`a terminal must be filled within 20 s, got ${waited}`);
}

async function tmuxMemory(count: number, script: string): Promise<Memory> {
  const tmux = new BenchTmux();
  try {
    const size = ["-x", String(SIZE.cols), "-y", String(SIZE.rows)];
    const before = memoryOf(tmux.pid);
    const more = () => memoryOf(tmux.pid) - before;
    const panes: string[] = [];
    for (let opened = 0; opened < count; opened += 1) {
      panes.push(tmux.run("new-session", "-d", "-P", "-F", "#{pane_id}", ...size, "bash", script));
    }
    await after(SETTLE_MS);
    const empty = more();
    for (const pane of panes) {
      tmux.run("send-keys", "-t", pane, "Enter");
      while (!tmux.run("capture-pane", "-p", "-t", pane).includes(LAST)) await after(5);
    }
    return { empty, filled: more() };
  } finally {
    tmux.end();
  }
}
