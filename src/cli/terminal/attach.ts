import { ptyRowId } from "../../acting/pty-id.ts";
import type { ViewerOptions } from "../../host/client/viewer.ts";
import { createProcessTable } from "../../processes/index.ts";
import { systemClock } from "../../time/clock.ts";
import { onHostTerminal } from "./act.ts";
import { type FoundTerminal, rowsOf, type TargetOptions } from "./find.ts";
import { called } from "./print.ts";
import { requireOwnTerminal, type ShowOptions, show, tellLooked } from "./show.ts";

export type AttachOptions = TargetOptions & ShowOptions;

/** Shows a terminal on the one that the command runs on, until it is left. */
export async function attach(text: string, options: AttachOptions): Promise<void> {
  const own = requireOwnTerminal();
  const { readOnly = false } = options;
  const looked = await onHostTerminal(text, "attach", options, async (found) => {
    await requireAnother(found);
    const { connection, terminal } = found;
    const first = (viewer: ViewerOptions) =>
      connection.attach(terminal.id, { ...viewer, readOnly });
    return show(connection, first, own, options, true);
  });
  tellLooked(looked, options);
}

/** A terminal that showed itself would show what it shows, without end. */
async function requireAnother({ host, terminal }: FoundTerminal): Promise<void> {
  const table = createProcessTable({ clock: systemClock });
  const ours = table.read(process.pid)?.tty;
  table.close();
  const row = (await rowsOf(host)).find(({ id }) => id === ptyRowId(terminal.id));
  if (ours === undefined || row?.tty !== ours) return;
  throw new Error(
    `${called(terminal)} is the terminal that this runs in, which cannot show itself`,
  );
}
