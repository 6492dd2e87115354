import type { HostConnection, OpenFields } from "../host/client/connect-host.ts";
import type { Viewer, ViewerOptions } from "../host/client/viewer.ts";

/** What is done with a terminal once it is there. */
export interface Opening {
  /** What it is called. Absent: nothing. */
  readonly name?: string;
  /** Typed at its shell, then Enter. Absent: nothing. */
  readonly line?: string;
}

/** Opens a terminal of the host as a person's own, which the call of that name does not. One that cannot be made as it was
 * wanted is taken away again. */
export async function openTerminal(
  connection: HostConnection,
  fields: OpenFields,
  { name, line }: Opening,
  options: ViewerOptions = {},
): Promise<Viewer> {
  const viewer = await connection.open(fields, options);
  const { id: target } = viewer.terminal;
  const session = connection.session(fields.sessionId);
  try {
    if (name !== undefined) {
      const named = await session.rename({ target, name });
      // The viewer hears of it on a connection of its own, sooner or later.
      options.changed?.(named);
    }
    if (line !== undefined) await session.send({ target, keys: [`${line}\r`], literal: true });
  } catch (error) {
    await session.close({ target });
    viewer.leave();
    throw error;
  }
  return viewer;
}
