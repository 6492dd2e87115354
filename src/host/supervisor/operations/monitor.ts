import { checkedDefinition } from "../../monitors/check.ts";
import type { MonitorResult } from "../messages.ts";
import type { Operation } from "../operation.ts";
import type { Session } from "../session.ts";
import type { Ground } from "./ground.ts";

type Monitor = Operation<"monitor">;

/** Changes the monitors of a session. */
export async function monitor(
  { session_id, operation }: Monitor,
  { sessions }: Ground,
): Promise<MonitorResult> {
  const session = sessions.get(session_id);
  const monitor_id = await change(session, operation);
  return { session: session.facts(), monitor_id };
}

/** Answers the id of the monitor. */
async function change(
  { launched: { workspaceRoot }, monitors }: Session,
  operation: Monitor["operation"],
): Promise<string> {
  if (operation.kind === "add") {
    return monitors.add(await checkedDefinition(operation.definition, workspaceRoot));
  }
  const id = operation.monitor_id;
  if (operation.kind === "update") {
    monitors.update(id, await checkedDefinition(operation.definition, workspaceRoot));
  } else {
    monitors[operation.kind](id);
  }
  return id;
}
