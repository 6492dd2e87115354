import { Cats } from "./lib/cats.ts";
import { echoFigures } from "./lib/each.ts";
import { report } from "./lib/report.ts";
import { endSystems, startSystems } from "./lib/systems.ts";

/** In each of 5 rounds. */
const KEYS = 100;

/** B4. From a key that is typed into a `cat` to it being shown, with nothing else to do for whoever holds the terminal. */
export default async function echo(): Promise<void> {
  const systems = await startSystems();
  try {
    const cats = await Cats.open(systems);
    const samples = await cats.echo(KEYS);
    await cats.end();
    report("B4 echo", echoFigures("key to echo, idle", samples, { p50: 0.6 }));
  } finally {
    await endSystems(systems);
  }
}
