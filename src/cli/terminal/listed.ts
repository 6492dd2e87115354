import { paneIn } from "../../acting/tmux/pane-id.ts";
import type { TerminalInfo as TerminalRow } from "../../contract/terminals.ts";
import { stateFolder } from "../../files/folders.ts";
import type { ProcessTable } from "../../processes/types.ts";
import { ask } from "../ask.ts";
import { handles } from "../handles.ts";
import { takeInventory } from "../inventory.ts";
import { runningPublisher } from "../publisher.ts";
import { reachLocal } from "../reach.ts";
import { randomInstanceId } from "../state.ts";

/** The panes of tmux that a person may mean: the one of that id, else those of that id in short, else all of that name.
 * They are looked at now, and what is done is done to what was found then. */
export async function listedPanes(
  text: string,
  table: ProcessTable,
): Promise<readonly TerminalRow[]> {
  const pane = paneIn(text);
  if (pane !== undefined) return (await look(table, pane.sockets)).filter(({ id }) => id === text);
  const rows = (await published(table)) ?? (await look(table));
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
    return (await ask(transport)).terminals.filter(isPane);
  } catch {
    return undefined;
  }
}

async function look(
  table: ProcessTable,
  tmuxSocket?: readonly string[],
): Promise<readonly TerminalRow[]> {
  const where = tmuxSocket === undefined ? {} : { tmuxSocket };
  const { terminals } = await takeInventory(randomInstanceId(), table, {
    source: ["tmux"],
    ...where,
  });
  return terminals.filter(isPane);
}

const isPane = ({ id }: TerminalRow) => id.startsWith("tmux:");
