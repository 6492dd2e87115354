import type { SupervisorClient } from "../../host/supervisor/client/connect-supervisor.ts";
import { SupervisorError } from "../../host/supervisor/client/failure.ts";
import type { InspectResult, MonitorEvent } from "../../host/supervisor/messages.ts";
import { perform } from "../supervise/perform.ts";
import { printLines, printTable } from "../supervise/print.ts";
import { onSupervisor } from "../supervise/reach.ts";
import type { Column } from "../table.ts";
import { clean, jsonLine } from "../text.ts";
import { type DefinitionOptions, definitionOf } from "./definition.ts";
import { sessionMeant } from "./session.ts";

interface JsonOptions {
  readonly json?: boolean;
}

/** Adds a monitor to a session, and prints its id. */
export async function add(
  text: string,
  value: string | undefined,
  options: DefinitionOptions & JsonOptions,
): Promise<void> {
  const definition = definitionOf(value, options);
  const operation = { kind: "add", definition } as const;
  const added = await onSupervisor(false, async (client) => {
    const session_id = await sessionMeant(client, text);
    return perform(client, "monitor", { action: "monitor", session_id, operation }, options);
  });
  if (added !== undefined && options.json !== true) printLines([added.monitor_id]);
}

/** Takes monitors of a session away. One that is not there keeps none of the others. */
export async function rm(
  text: string,
  ids: readonly string[],
  options: JsonOptions,
): Promise<void> {
  await onSupervisor(false, async (client) => {
    const session_id = await sessionMeant(client, text);
    for (const monitor_id of ids) {
      const operation = { kind: "remove", monitor_id } as const;
      await perform(client, "monitor", { action: "monitor", session_id, operation }, options);
    }
  });
}

interface Listed {
  readonly session: string;
  readonly monitor: InspectResult["monitors"][number];
  /** What it told of last that nobody has acknowledged. Absent: nothing. */
  readonly last: MonitorEvent | undefined;
}

const COLUMNS: readonly Column<Listed>[] = [
  { title: "SESSION", cell: ({ session }) => clean(session) },
  { title: "MONITOR", cell: ({ monitor }) => clean(monitor.monitor_id) },
  { title: "STATE", cell: ({ monitor }) => monitor.state },
  { title: "LAST EVENT", cell: ({ last }) => (last === undefined ? "" : lastText(last)) },
];

const lastText = ({ reason, created_at_ms }: MonitorEvent) =>
  `${reason} ${new Date(created_at_ms).toISOString()}`;

/** How many events a page has at most, as the host has it. */
const PAGE_EVENTS = 256;

/** Lists the monitors of a session, or of all that are there. */
export async function list(text: string | undefined, { json }: JsonOptions): Promise<void> {
  const listed = await onSupervisor(false, async (client) => {
    const ids = text === undefined ? await sessionIds(client) : [await sessionMeant(client, text)];
    const all = ids.map((id) => monitorsOf(client, id, text === undefined));
    return (await Promise.all(all)).flat();
  });
  if (json !== true) return printTable(COLUMNS, listed);
  const monitors = listed.map(({ session, monitor, last }) => ({
    session_id: session,
    ...monitor,
    last_event: last ?? null,
  }));
  process.stdout.write(jsonLine({ monitors }));
}

async function sessionIds(client: SupervisorClient): Promise<readonly string[]> {
  const { sessions } = await client.operate({ action: "list" });
  return sessions.map(({ session_id }) => session_id);
}

/** `mayBeGone`: it may have been closed since it was listed. */
async function monitorsOf(
  client: SupervisorClient,
  session: string,
  mayBeGone: boolean,
): Promise<Listed[]> {
  try {
    const { monitors, events } = await inspected(client, session);
    const last = new Map(events.map((event) => [event.monitor_id, event]));
    return monitors.map((monitor) => ({ session, monitor, last: last.get(monitor.monitor_id) }));
  } catch (error) {
    const isGone = error instanceof SupervisorError && error.code === "session_not_found";
    if (mayBeGone && isGone) return [];
    throw error;
  }
}

/** How a session stands, with all events that are kept of it up to then. */
async function inspected(
  client: SupervisorClient,
  session_id: string,
): Promise<Pick<InspectResult, "monitors" | "events">> {
  const inspect = { action: "inspect", session_id, max_events: PAGE_EVENTS } as const;
  const first = await client.operate(inspect);
  const events = [...first.events];
  let page = first;
  while (page.events.length === PAGE_EVENTS && events.length < first.next_event_id) {
    page = await client.operate({ ...inspect, after_event_id: events.at(-1)?.event_id ?? null });
    events.push(...page.events);
  }
  return { monitors: page.monitors, events };
}
