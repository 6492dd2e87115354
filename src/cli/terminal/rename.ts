import { onTerminal, type TargetOptions } from "./find.ts";
import { printDocument } from "./print.ts";

/** Gives a terminal another name, or none. */
export async function rename(text: string, name = "", options: TargetOptions): Promise<void> {
  await onTerminal(text, "rename", options, async ({ session, terminal: { id } }) => {
    const terminal = await session.rename({ target: id, name });
    if (options.json === true) printDocument(terminal);
  });
}
