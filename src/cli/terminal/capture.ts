import { actOn, printDone } from "./act.ts";
import type { TargetOptions } from "./find.ts";
import { printText } from "./print.ts";

export interface CaptureOptions extends TargetOptions {
  /** Lines before the screen. */
  readonly scrollback?: number;
  /** Whether colours and the like are in the text. */
  readonly escapes?: boolean;
  /** Whether rows that the width broke become one line. */
  readonly join?: boolean;
}

/** Prints what a terminal shows. */
export async function capture(text: string, options: CaptureOptions): Promise<void> {
  const { scrollback = 0, escapes = false, join = false, json } = options;
  const input = { scrollback, escapes, joinWrapped: join };
  const { id, result } = await actOn(text, "capture", options, (terminal) =>
    terminal.capture(input),
  );
  if (json === true) printDone(id, result);
  // The sequences are those of whoever keeps the screen: a program's never get into it.
  else if (escapes) process.stdout.write(`${result.text}\n`);
  else printText(result.text);
}
