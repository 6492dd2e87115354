import { paneIn } from "../../acting/tmux/pane-id.ts";
import type { TerminalInfo as TerminalRow } from "../../contract/terminals.ts";
import { stateFolder } from "../../files/folders.ts";
import type { ProcessTable } from "../../processes/types.ts";
import { ask } from "../ask.ts";
import { handles } from "../handles.ts";
import { takeInventory } from "../inventory.ts";
import { type InventoryOptions, SOURCE_NAMES } from "../options.ts";
import { runningPublisher } from "../publisher.ts";
import { reachLocal } from "../reach.ts";
import { randomInstanceId } from "../state.ts";

/** The terminals of others than the host that a person may mean: the one of that id, else those of that id in short, else
 * all of that name. They are looked at now, and what is done is done to what was found then. */
export async function listedTerminals(
  text: string,
  table: ProcessTable,
): Promise<readonly TerminalRow[]> {
  const pane = paneIn(text);
  if (pane !== undefined) {
    const panes = await look(table, { source: ["tmux"], tmuxSocket: pane.sockets });
    return panes.filter(({ id }) => id === text);
  }
  const rows = (await published(table)) ?? (await look(table, { source: OTHERS }));
  const handle = handles(rows);
  const inShort = rows.filter((row) => handle(row) === text);
  return inShort.length > 0 ? inShort : rows.filter(({ name }) => name === text);
}

/** What the publisher states, which has looked already; `undefined` where none runs that answers. */
async function published(table: ProcessTable): Promise<readonly TerminalRow[] | undefined> {
  const publisher = await runningPublisher(stateFolder(), table);
  const transport = publisher === undefined ? undefined : reachLocal(publisher);
  if (transport === undefined) return undefined;
  try {
    return (await ask(transport)).terminals.filter(isOthers);
  } catch {
    return undefined;
  }
}

async function look(
  table: ProcessTable,
  where: Pick<InventoryOptions, "source" | "tmuxSocket">,
): Promise<readonly TerminalRow[]> {
  const { terminals } = await takeInventory(randomInstanceId(), table, where);
  return terminals.filter(isOthers);
}

/** The host says itself which terminals it has. */
const OTHERS = SOURCE_NAMES.filter((name) => name !== "pty");
const isOthers = ({ id }: TerminalRow) => !id.startsWith("pty:");
