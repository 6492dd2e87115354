import { HostError } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { SIGNALS } from "../../monitors/signals.ts";
import type { Terminal } from "../../terminal.ts";
import { OperationError } from "../errors.ts";
import type { SignalResult, TerminalSignal } from "../messages.ts";
import type { Operation } from "../operation.ts";
import type { Ground } from "./ground.ts";
import { requireRunning } from "./running.ts";

/** Sends a signal: what keys can send goes to the job in front, as keys would have it; the others end a program, and go to
 * everything that runs in the session. */
export async function signal(
  { session_id, signal: name }: Operation<"signal">,
  { host, sessions }: Ground,
): Promise<SignalResult> {
  const session = sessions.get(session_id);
  requireRunning(session.terminal);
  await send(host, session.terminal, name);
  return { session: session.facts(), signal: name };
}

async function send(host: Host, terminal: Terminal, name: TerminalSignal): Promise<void> {
  try {
    const isKey = name === "interrupt" || name === "quit";
    if (isKey) host.signal(terminal, SIGNALS[name]);
    else await host.signalTree(terminal, SIGNALS[name]);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new OperationError("invalid_lifecycle", error.message);
  }
}
