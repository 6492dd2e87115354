import { UsageError } from "../failure.ts";
import { onTerminal, type TargetOptions } from "./find.ts";
import { printDocument } from "./print.ts";

export interface SendOptions extends TargetOptions {
  /** Whether everything is text. */
  readonly literal?: boolean;
  /** Whether the words are one text, to be pasted and followed by Enter. */
  readonly submit?: boolean;
}

/** Types keys and text into a terminal. */
export async function send(
  text: string,
  keys: readonly string[],
  options: SendOptions,
): Promise<void> {
  const { literal = false, submit = false, json } = options;
  if (literal && submit) {
    throw new UsageError("--submit pastes text as it stands, so --literal has no part in it");
  }
  await onTerminal(text, options, async ({ session, terminal }) => {
    const target = terminal.id;
    if (submit) await session.send({ target, keys: [keys.join(" ")], literal, submit });
    else await session.send({ target, keys: [...keys], literal });
    if (json === true) printDocument(terminal);
  });
}
