import type { TerminalWrite } from "../../host/supervisor/messages.ts";
import { UsageError } from "../failure.ts";
import { readControl, readKey, type SuperviseOptions } from "./options.ts";

export interface WriteOptions extends SuperviseOptions {
  /** Whether the words are names of keys, characters to press with Ctrl, or text to paste; at most one of them. */
  readonly keys?: boolean;
  readonly controls?: boolean;
  readonly paste?: boolean;
}

/** What is typed by words. Throws a UsageError where they cannot be. */
export function writeOf(
  words: readonly string[],
  { keys = false, controls = false, paste = false }: WriteOptions,
): TerminalWrite {
  if ([keys, controls, paste].filter(Boolean).length > 1) {
    throw new UsageError("of --keys, --controls and --paste only one can be given");
  }
  if (words.length === 0) throw new UsageError("what to write is needed, or --request");
  if (keys) return { kind: "keys", keys: words.map(readKey) };
  if (controls) return { kind: "controls", controls: words.map(readControl) };
  return { kind: paste ? "paste" : "text", text: words.join(" ") };
}
