import { onTerminal, type TargetOptions } from "./find.ts";
import { printDocument } from "./print.ts";

/** Gives a terminal another size. Whoever looks at it and has it fit their own gives it theirs the next time that changes. */
export async function resize(
  text: string,
  cols: number,
  rows: number,
  options: TargetOptions,
): Promise<void> {
  await onTerminal(text, "resize", options, async ({ session, terminal: { id } }) => {
    const terminal = await session.resize({ target: id, cols, rows });
    if (options.json === true) printDocument(terminal);
  });
}
