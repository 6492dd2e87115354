import type { MonitorOperation } from "../../host/supervisor/messages.ts";
import type { Operation } from "../../host/supervisor/operation.ts";
import { UsageError } from "../failure.ts";
import type { SuperviseOptions } from "./options.ts";
import { perform } from "./perform.ts";
import { printLines } from "./print.ts";
import { onSupervisor } from "./reach.ts";
import { definitionIn, requestIn } from "./request.ts";
import { sessionIn } from "./session.ts";

export interface MonitorOptions extends SuperviseOptions {
  /** As JSON. */
  readonly definition?: string;
}

const KINDS = [
  "add",
  "update",
  "pause",
  "resume",
  "remove",
] as const satisfies readonly MonitorOperation["kind"][];

/** Changes the monitors of a session, and prints the id of the one that was meant. */
export async function monitor(
  text: string | undefined,
  kind: string | undefined,
  id: string | undefined,
  options: MonitorOptions,
): Promise<void> {
  const operation: Operation<"monitor"> =
    options.request === undefined
      ? {
          action: "monitor",
          session_id: await sessionIn(text),
          operation: changeOf(kind, id, options),
        }
      : await requestIn("monitor", options.request);
  const result = await onSupervisor(false, (client) =>
    perform(client, "monitor", operation, options),
  );
  if (result !== undefined && options.json !== true) printLines([result.monitor_id]);
}

function changeOf(
  text: string | undefined,
  id: string | undefined,
  { definition }: MonitorOptions,
): MonitorOperation {
  const kind = KINDS.find((one) => one === text);
  if (kind === undefined) {
    throw new UsageError(`what is done must be one of ${KINDS.join(", ")}, got "${text ?? ""}"`);
  }
  const isDefined = kind === "add" || kind === "update";
  if (!isDefined && definition !== undefined) {
    throw new UsageError(`--definition is for add and update, not for ${kind}`);
  }
  if (kind === "add") {
    if (id === undefined) return { kind, definition: defined(kind, definition) };
    throw new UsageError(`a monitor that is added has no id yet, got "${id}"`);
  }
  if (id === undefined) throw new UsageError(`${kind} needs the id of a monitor`);
  if (kind !== "update") return { kind, monitor_id: id };
  return { kind, monitor_id: id, definition: defined(kind, definition) };
}

function defined(kind: string, definition: string | undefined) {
  if (definition !== undefined) return definitionIn("--definition", definition);
  throw new UsageError(`${kind} needs --definition <json>`);
}
