import { TerminalSignal } from "../../host/channel/messages.ts";
import { UsageError } from "../failure.ts";
import { onTerminal, type TargetOptions } from "./find.ts";
import { printDocument } from "./print.ts";

const SIGNALS = TerminalSignal.anyOf.map((schema) => schema.const);

/** Reads a signal's name, with or without SIG before it. */
export function readSignal(text: string): TerminalSignal {
  const name = `SIG${text.toUpperCase().replace(/^SIG/, "")}`;
  const found = SIGNALS.find((one) => one === name);
  if (found !== undefined) return found;
  const known = SIGNALS.map((one) => one.slice("SIG".length)).join(", ");
  throw new UsageError(`the signal must be one of ${known}, got "${text}"`);
}

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
