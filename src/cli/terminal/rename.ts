import { actOn, printDone } from "./act.ts";
import type { TargetOptions } from "./find.ts";

/** Gives a terminal another name, or none. */
export async function rename(text: string, name = "", options: TargetOptions): Promise<void> {
  const { id, result } = await actOn(text, "rename", options, (terminal) => terminal.rename(name));
  if (options.json === true) printDone(id, result);
}
