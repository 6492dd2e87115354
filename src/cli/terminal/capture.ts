import { onTerminal, type TargetOptions } from "./find.ts";
import { printDocument, printText } from "./print.ts";

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
  const { scrollback = 0, escapes, join, json } = options;
  await onTerminal(text, options, async ({ session, terminal: { id } }) => {
    const captured = await session.capture({
      target: id,
      scrollback,
      ...(escapes === true ? { escapes } : {}),
      ...(join === true ? { joinWrapped: join } : {}),
    });
    if (json === true) printDocument(captured.terminal, { text: captured.text });
    // The sequences are the host's own: a program's never get into it.
    else if (escapes === true) process.stdout.write(`${captured.text}\n`);
    else printText(captured.text);
  });
}
