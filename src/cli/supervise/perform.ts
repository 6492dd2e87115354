import { setTimeout as pause } from "node:timers/promises";
import {
  newRequestId,
  type SupervisorClient,
} from "../../host/supervisor/client/connect-supervisor.ts";
import { SupervisorError } from "../../host/supervisor/client/failure.ts";
import { type ResultOf, resultOf } from "../../host/supervisor/client/results.ts";
import type { TerminalAction } from "../../host/supervisor/messages.ts";
import type { Operation } from "../../host/supervisor/operation.ts";
import { EXIT, tell } from "../failure.ts";
import { onStopSignals } from "../signals.ts";
import { jsonLine } from "../text.ts";

/** How soon a cancel is sent again that came before what it was for, in milliseconds. */
const CANCEL_AGAIN_MS = 20;

/** Does an operation and answers what it came to; a signal that would end the program cancels it. With `json` it is printed as
 * the wire has it, done or refused. Undefined where it was refused, which is told. */
export async function perform<Action extends TerminalAction>(
  client: SupervisorClient,
  action: Action,
  operation: Operation<Action>,
  { json }: { readonly json?: boolean },
): Promise<ResultOf<Action> | undefined> {
  const requestId = newRequestId();
  const stopped = new AbortController();
  const ignore = onStopSignals(
    {
      first: () => void cancel(client, requestId, stopped.signal),
      again: () => process.exit(EXIT.failed),
    },
    ["SIGINT", "SIGTERM"],
  );
  try {
    const output = await client.request(operation, { requestId });
    if (json === true) process.stdout.write(jsonLine(output.structured));
    if (!("failure" in output.structured)) return resultOf(action, output);
    tellRefusal(output.structured.failure);
  } catch (error) {
    if (!(error instanceof SupervisorError) || error.code === undefined) throw error;
    const { code, message } = error;
    if (json === true) process.stdout.write(jsonLine({ kind: "failure", code, message }));
    tellRefusal({ code, message });
  } finally {
    stopped.abort();
    ignore();
  }
  return undefined;
}

/** The request may not have come yet, on its own connection. */
async function cancel(client: SupervisorClient, id: string, ended: AbortSignal): Promise<void> {
  try {
    while (!ended.aborted && !(await client.cancel(id))) await pause(CANCEL_AGAIN_MS);
  } catch (error) {
    // The operation says so itself.
    if (!(error instanceof SupervisorError)) throw error;
  }
}

function tellRefusal({ code, message }: { readonly code: string; readonly message: string }): void {
  tell(`${message} (${code})`);
  process.exitCode = EXIT.failed;
}
