import { programOf } from "../agents/harness.ts";
import type { ProcessInfo, ProcessTable } from "../processes/types.ts";
import { displayText } from "../sources/text.ts";

/** The job in front of a terminal, where that is another than the one of the program that was started in it: the name of
 * its program. Absent at a prompt, and where it cannot be told. */
export function foregroundOf(root: ProcessInfo, table: ProcessTable): string | undefined {
  if (root.foregroundGroup <= 0 || root.foregroundGroup === root.group) return undefined;
  const leader = table.read(root.foregroundGroup);
  if (leader === undefined) return "a job";
  const argv = table.argv(leader.pid) ?? [];
  const program = programOf(argv, table.exe(leader.pid));
  return displayText(program?.name ?? leader.name) ?? leader.name;
}
