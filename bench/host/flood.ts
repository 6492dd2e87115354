import { Cats } from "./lib/cats.ts";
import { echoFigures } from "./lib/each.ts";
import { report } from "./lib/report.ts";
import { after } from "./lib/rounds.ts";
import { endSystems, type SystemName, startSystems } from "./lib/systems.ts";
import { Watcher } from "./lib/watcher.ts";

/** In each of 5 rounds, each without and with somebody who looks at the flood. */
const KEYS = 30;

/** How long a flood runs before the first key, in milliseconds. */
const RISING_MS = 200;

/** B5. The echo of a key while another terminal of the same holder has `yes` in it: with nobody who looks at that, and with
 * a viewer that takes all it gets. For node-pty somebody always reads, or nothing would be written. */
export default async function flood(): Promise<void> {
  const systems = await startSystems();
  const onlooker = await Watcher.start();
  try {
    const cats = await Cats.open(systems);
    const flooded = (isWatched: boolean) => async (name: SystemName) => {
      // Stopped by its reader, which types.
      const look = await systems[name]?.open(["sh", "-c", FLOOD]);
      if (look === undefined) return async () => {};
      await onlooker.look(look);
      await after(RISING_MS);
      await onlooker.type("\r");
      if (!isWatched && name !== "node-pty") await onlooker.leave();
      await after(RISING_MS);
      return async () => {
        if (!isWatched && name !== "node-pty") {
          await onlooker.look(look);
          // Before its terminal is set up, an interrupt would end a program that looks.
          await after(RISING_MS);
        }
        await onlooker.type("\x03");
        await after(RISING_MS);
        await onlooker.leave();
      };
    };
    const alone = await cats.echo(KEYS, flooded(false));
    const watched = await cats.echo(KEYS, flooded(true));
    await cats.end();
    report("B5 flood", [
      ...echoFigures("key to echo, flood elsewhere", alone),
      ...echoFigures("the same, and somebody looks at it", watched),
    ]);
  } finally {
    await onlooker.end();
    await endSystems(systems);
  }
}

/** Begins with a key, and ends with an interrupt. */
const FLOOD = "head -c 1 >/dev/null; exec yes 'a line of a flood that nobody reads'";
