import { type FoundTerminal, onTerminal, type TargetOptions } from "./find.ts";
import { called, printDocument } from "./print.ts";

export interface CloseOptions extends TargetOptions {
  /** Whether a job in it ends with it. */
  readonly force?: boolean;
}

/** Ends what runs in a terminal and takes it away. Not where a job is in front of its shell, unless that is forced. */
export async function close(text: string, options: CloseOptions): Promise<void> {
  await onTerminal(text, options, async (found) => {
    const { session, terminal } = found;
    if (options.force === true) await session.close({ target: terminal.id });
    else await closeIdle(found);
    if (options.json === true) printDocument(terminal, { closed: true });
  });
}

/** Only who looks at it is told of a job that is in the way. */
async function closeIdle({ connection, terminal }: FoundTerminal): Promise<void> {
  const viewer = await connection.attach(terminal.id, { readOnly: true });
  try {
    const closing = await viewer.close();
    if (closing.closed) return;
    throw new Error(
      `${closing.program ?? "a job"} runs in ${called(terminal)}; --force ends that too`,
    );
  } finally {
    viewer.leave();
  }
}
