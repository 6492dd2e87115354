import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { forEach, quantileFigure } from "./lib/each.ts";
import type { Shown } from "./lib/looks.ts";
import { report } from "./lib/report.ts";
import { after } from "./lib/rounds.ts";
import {
  endSystems,
  SYSTEM_NAMES,
  type System,
  type SystemName,
  startSystems,
} from "./lib/systems.ts";
import { drawnText, logText, type Printed, writePrinted } from "./lib/text.ts";
import { Watcher } from "./lib/watcher.ts";

const ROUNDS = 3;

/** How much each prints, so that all take about a second or more. */
const MEGABYTES: Readonly<Record<SystemName, number>> = {
  ours: 100,
  "node-pty": 100,
  dtach: 50,
  tmux: 25,
  screen: 8,
};
const DRAWN_MEGABYTES: typeof MEGABYTES = { ...MEGABYTES, ours: 40, tmux: 15, screen: 8 };

/** How long a program and its first screen are given, in milliseconds. */
const SETTLING_MS = 300;

const END = "-end-of-the-stream-";

interface Streamed {
  /** MB a second that the program could write. */
  readonly rate: number;
  readonly shown: Shown;
}

/** B2. How fast a program can print to one viewer in a process of its own, which takes everything. What it gets has to be
 * what was printed, unless it is a system that repaints. */
export default async function stream(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  const systems = await startSystems();
  const watcher = await Watcher.start();
  const write = (name: string, text: string, megabytes: number) =>
    writePrinted(join(folder, name), text, megabytes);
  try {
    const logs = forEach((name) => write(`log-${name}`, logText(), MEGABYTES[name]));
    const drawings = forEach((name) => write(`drawn-${name}`, drawnText(), DRAWN_MEGABYTES[name]));
    const logRates = forEach((): number[] => []);
    const drawnRates = forEach((): number[] => []);
    const parts = forEach((): number[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of SYSTEM_NAMES) {
        const system = systems[name];
        if (system === undefined) continue;
        const log = await streamed(watcher, system, logs[name]);
        const drawn = await streamed(watcher, system, drawings[name]);
        logRates[name].push(log.rate);
        drawnRates[name].push(drawn.rate);
        parts[name].push((log.shown.bytes / logs[name].bytes) * 100);
        if (name !== "ours") continue;
        requireAll(log.shown, logs[name]);
        requireAll(drawn.shown, drawings[name]);
      }
    }
    report("B2 stream", [
      quantileFigure(logRates, 0.5, {
        what: `lines to one viewer, p50 of ${ROUNDS}`,
        unit: "MB/s",
        goal: { atLeast: 40 },
      }),
      quantileFigure(drawnRates, 0.5, {
        what: "drawing all over the screen, p50",
        unit: "MB/s",
        goal: { atLeast: 20 },
      }),
      quantileFigure(parts, 0.5, { what: "what the viewer got of the lines", unit: "%" }),
    ]);
  } finally {
    await watcher.end();
    await endSystems(systems);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function streamed(watcher: Watcher, system: System, printed: Printed): Promise<Streamed> {
  const script = `stty raw -echo; head -c 1 >/dev/null; cat ${printed.path}; printf '\\r\\n${END}'; exec sleep 600`;
  await watcher.look(await system.open(["sh", "-c", script]));
  await after(SETTLING_MS);
  await watcher.shown();
  const ms = await watcher.type("x", END);
  const shown = await watcher.shown();
  await watcher.leave();
  return { rate: printed.bytes / 1_000 / ms, shown };
}

/** A viewer that the machine gave no time for a while was repainted, and told so; then there is nothing to compare. */
function requireAll(shown: Shown, printed: Printed): void {
  if (shown.skipped > 0) return;
  const expected = crc32(`\r\n${END}`, printed.sum);
  if (shown.sum === expected) return;
  throw new Error(
    `Expected ${printed.bytes} bytes as they were printed, got ${shown.bytes} bytes that differ`,
  );
}
