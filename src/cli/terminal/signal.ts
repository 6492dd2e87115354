import type { TerminalSignal } from "../../host/channel/messages.ts";
import { actOn, printDone } from "./act.ts";
import type { TargetOptions } from "./find.ts";

/** Sends a signal to the job in front of a terminal. */
export async function signal(
  text: string,
  named: TerminalSignal,
  options: TargetOptions,
): Promise<void> {
  const { id, result } = await actOn(text, "signal", options, (terminal) => terminal.signal(named));
  if (options.json === true) printDone(id, result);
}
