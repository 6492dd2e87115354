import { actOn, printDone } from "./act.ts";
import type { TargetOptions } from "./find.ts";

/** Gives a terminal another size. Whoever looks at it and has it fit their own gives it theirs the next time that changes. */
export async function resize(
  text: string,
  cols: number,
  rows: number,
  options: TargetOptions,
): Promise<void> {
  const { id, result } = await actOn(text, "resize", options, (terminal) =>
    terminal.resize(cols, rows),
  );
  if (options.json === true) printDone(id, result);
}
