import { quantile } from "../lib/figures.ts";
import { forEach, quantileFigure, type Samples } from "./lib/each.ts";
import type { Look } from "./lib/looks.ts";
import { PROMPT_PROGRAM, promptOf } from "./lib/prompts.ts";
import { report } from "./lib/report.ts";
import { after } from "./lib/rounds.ts";
import { endSystems, SYSTEM_NAMES, type SystemName, startSystems } from "./lib/systems.ts";
import { Watcher } from "./lib/watcher.ts";

const ROUNDS = 6;

/** 5 Mbit/s, in bytes. */
const LINK = 625_000;

/** How long the flood runs before it is interrupted, in milliseconds. */
const FLOOD_MS = 700;

/** B6. Somebody on a link of 5 Mbit/s interrupts a flood: how long until the prompt that follows shows. */
export default async function interrupt(): Promise<void> {
  const systems = await startSystems();
  const watchers: Watcher[] = [];
  /** The times of somebody at a terminal of its own. */
  const interrupted = async (look: Look): Promise<() => Promise<number>> => {
    const watcher = await Watcher.start();
    watchers.push(watcher);
    await watcher.look({ ...look, bytesPerSecond: LINK });
    await after(300);
    let prompt = 0;
    return async () => {
      await watcher.type("\r");
      await after(FLOOD_MS + Math.random() * 100);
      prompt += 1;
      const ms = await watcher.type("\x03", promptOf(prompt));
      await after(200);
      return ms;
    };
  };
  try {
    const tasks = new Map<SystemName, () => Promise<number>>();
    for (const name of SYSTEM_NAMES) {
      const look = await systems[name]?.open(PROMPT_PROGRAM);
      if (look === undefined) continue;
      const small = look.kind === "host" ? { ...look, slowLink: true } : look;
      tasks.set(name, await interrupted(small));
    }
    const large = await interrupted(await systems.ours.open(PROMPT_PROGRAM));
    const samples: Samples = forEach(() => []);
    const largeSteps: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, task] of tasks) samples[name].push(await task());
      largeSteps.push(await large());
    }
    const figures = [
      { share: 0.5, name: `p50 of ${ROUNDS}` },
      { share: 1, name: "max" },
    ].flatMap(({ share, name }) => [
      quantileFigure(samples, share, {
        what: `Ctrl-C to prompt, acknowledged by 8 KiB, ${name}`,
        unit: "ms",
        goal: { below: 50 },
      }),
      {
        what: `the same by 64 KiB, ${name}`,
        unit: "ms",
        ours: quantile(largeSteps, share),
        goal: { below: 250 },
      },
    ]);
    report("B6 interrupt", figures);
  } finally {
    for (const watcher of watchers) await watcher.end();
    await endSystems(systems);
  }
}
