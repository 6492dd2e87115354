import { onTerminal, type TargetOptions } from "./find.ts";
import { requireOwnTerminal, type ShowOptions, show, tellLooked } from "./show.ts";

export type AttachOptions = TargetOptions & ShowOptions;

/** Shows a terminal on the one that the command runs on, until it is left. */
export async function attach(text: string, options: AttachOptions): Promise<void> {
  const own = requireOwnTerminal();
  const { readOnly = false } = options;
  const looked = await onTerminal(text, options, ({ connection, terminal }) =>
    show(
      connection,
      (viewer) => connection.attach(terminal.id, { ...viewer, readOnly }),
      own,
      options,
      true,
    ),
  );
  tellLooked(looked, options);
}
