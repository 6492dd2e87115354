import { ActingError } from "../../acting/failure.ts";
import { actOn, printDone } from "./act.ts";
import type { TargetOptions } from "./find.ts";

export interface CloseOptions extends TargetOptions {
  /** Whether a job in it ends with it. */
  readonly force?: boolean;
}

/** Ends what runs in a terminal and takes it away. Not where a job is in front of its shell, unless that is forced. */
export async function close(text: string, options: CloseOptions): Promise<void> {
  const { force = false, json } = options;
  const { id, result } = await actOn(text, "close", options, (terminal, called) =>
    terminal.close({ force }).catch((error: unknown) => {
      const program = error instanceof ActingError ? error.program : undefined;
      if (program === undefined) throw error;
      throw new Error(`${program} runs in ${called}; --force ends that too`);
    }),
  );
  if (json === true) printDone(id, result, { closed: true });
}
