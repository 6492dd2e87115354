import { UsageError } from "../failure.ts";
import { actOn, printDone } from "./act.ts";
import type { TargetOptions } from "./find.ts";

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
  const input = submit ? { keys: [keys.join(" ")], submit } : { keys, literal };
  const { id, result } = await actOn(text, "send", options, (terminal) => terminal.send(input));
  if (json === true) printDone(id, result);
}
