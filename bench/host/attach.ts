import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cats } from "./lib/cats.ts";
import { echoFigures, forEach, quantileFigure } from "./lib/each.ts";
import type { Look } from "./lib/looks.ts";
import { type Figure, report } from "./lib/report.ts";
import { after, inTurn } from "./lib/rounds.ts";
import { endSystems, type SystemName, startSystems } from "./lib/systems.ts";
import { Watcher } from "./lib/watcher.ts";

/** In each of 5 rounds. */
const TIMES = 10;
const KEYS = 30;

const LAST = "-the-last-row-";

/** Fills the screen, after so many lines that go above it. */
const FILL = `stty -echo
for ((line = 1; line <= $1; line++)); do
  printf 'line %s \\e[3%sm%s\\e[0m\\r\\n' $line $((line % 8)) 'some words of a build that is under way'
done
printf '%s' ${LAST}
exec sleep 600
`;

/** What fits: 24 rows, of which the last is written after the lines. */
const SCREEN_LINES = 23;

/** B7. From somebody coming, who has a process already (the program of another system is started, which is how one comes to
 * it), to the last row of a full screen being shown; and keys in another terminal meanwhile. node-pty and dtach have no
 * screen to come to. */
export default async function attach(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tt-bench-"));
  const script = join(folder, "fill.sh");
  writeFileSync(script, FILL);
  const systems = await startSystems();
  const watcher = await Watcher.start();
  try {
    const samples = new Map<number, Awaited<ReturnType<typeof attached>>>();
    const attached = async (lines: number) => {
      const tasks = forEach((): (() => Promise<number[]>) => async () => []);
      for (const name of COMPARED) {
        const look = await systems[name]?.open(["bash", script, `${lines}`]);
        if (look !== undefined) tasks[name] = () => watcher.attach(look, LAST, TIMES);
      }
      // Until they are filled, and the code has run.
      await after(1_000);
      for (const task of Object.values(tasks)) await task();
      return inTurn(tasks);
    };
    for (const lines of [SCREEN_LINES, 1_000, 10_000]) samples.set(lines, await attached(lines));
    const goals = new Map([
      [SCREEN_LINES, { below: 8 }],
      [1_000, { below: 30 }],
    ]);
    const figures = [...samples].flatMap(([lines, times]): Figure[] => {
      const what = lines === SCREEN_LINES ? "attach to a full screen" : `with ${lines} lines`;
      const name = `${what}, p50 of ${times.ours.length}`;
      const goal = goals.get(lines);
      const p50 = { what: name, unit: "ms", ...(goal ? { goal } : {}) };
      const max = { what: `${what}, max`, unit: "ms" };
      return [quantileFigure(times, 0.5, p50, COMPARED), quantileFigure(times, 1, max, COMPARED)];
    });
    const cats = await Cats.open(systems);
    const looks = new Map<SystemName, Look | undefined>(
      await Promise.all(
        COMPARED.map(
          async (name) => [name, await systems[name]?.open(["bash", script, "1000"])] as const,
        ),
      ),
    );
    await after(1_000);
    const echo = await cats.echo(KEYS, async (name) => {
      const look = looks.get(name);
      if (look === undefined) return async () => {};
      const attaching = watcher.attach(look, LAST, TIMES);
      return async () => void (await attaching);
    });
    await cats.end();
    report("B7 attach", [...figures, ...echoFigures("key elsewhere meanwhile", echo, { p99: 15 })]);
  } finally {
    await watcher.end();
    await endSystems(systems);
    rmSync(folder, { recursive: true, force: true });
  }
}

const COMPARED = ["ours", "tmux", "screen"] as const satisfies SystemName[];
