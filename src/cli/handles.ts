import type { TerminalInfo } from "../contract/terminals.ts";
import { clean } from "./text.ts";

/** Names terminals in short: an id without the part that tells one life of its manager from the next
 * (`tmux:default/3` for `tmux:default@812.1770000000/3`), unless two of the terminals would share it. */
export function handles(
  terminals: readonly TerminalInfo[],
): (terminal: Pick<TerminalInfo, "id">) => string {
  const counts = new Map<string, number>();
  for (const { id } of terminals) counts.set(short(id), (counts.get(short(id)) ?? 0) + 1);
  return ({ id }) => clean((counts.get(short(id)) ?? 0) > 1 ? id : short(id));
}

const short = (id: string) => id.replace(/@\d+\.\d+(?=\/|$)/, "");
