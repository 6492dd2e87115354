import type { ProcessFacts } from "../../processes/facts.ts";
import type { ProcessInfo, ProcessTable } from "../../processes/types.ts";
import { isHelper } from "../harness.ts";
import { programIn } from "../recognise.ts";
import type { StateDocument } from "./document.ts";

/** How much later than a document says its process may seem to have begun, in milliseconds: `ps` prints whole
 * seconds, and the instant of the boot is known to a second. */
const START_TOLERANCE_MS = 2_000;

/** Whether the process with the number that a document names is the run that wrote it, and not one that got the number
 * later. A helper of the harness is no run even where it writes a document. */
export function isWriter(
  document: StateDocument,
  process: ProcessInfo,
  table: ProcessTable,
  facts: ProcessFacts,
): boolean {
  const program = programIn(process, facts);
  if (program !== undefined && isHelper(program)) return false;
  // Both are what the kernel counts.
  if (document.procStart !== undefined && table.kind === "procfs") {
    return document.procStart === process.startTick;
  }
  if (program?.name !== "claude") return false;
  // Who wrote it lived then, so a process that had begun by then and has its number is the same.
  const startedAt = table.startedAt(process);
  return startedAt !== undefined && startedAt <= document.startedAt + START_TOLERANCE_MS;
}
