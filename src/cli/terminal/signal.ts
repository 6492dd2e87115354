import type { TerminalSignal } from "../../host/channel/messages.ts";
import { onTerminal, type TargetOptions } from "./find.ts";
import { printDocument } from "./print.ts";

/** Sends a signal to the job in front of a terminal. */
export async function signal(
  text: string,
  named: TerminalSignal,
  options: TargetOptions,
): Promise<void> {
  await onTerminal(text, options, async ({ session, terminal }) => {
    await session.signal({ target: terminal.id, signal: named });
    if (options.json === true) printDocument(terminal);
  });
}
