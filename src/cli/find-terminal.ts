import type { ExplainedTerminal } from "../inventory/explain.ts";
import { handles } from "./handles.ts";

/** The terminals that a person may mean: the one of that id, else all of that name, of that id in short, with that
 * device, or with a process of that number. */
export function findTerminals(
  text: string,
  terminals: readonly ExplainedTerminal[],
): readonly ExplainedTerminal[] {
  const exact = terminals.filter(({ row }) => row.id === text);
  if (exact.length > 0) return exact;
  const handle = handles(terminals.map(({ row }) => row));
  const device = text.startsWith("/dev/") ? text : `/dev/${text}`;
  const pid = pidIn(text);
  const isIn = ({ row, processes }: ExplainedTerminal) =>
    pid !== undefined && (row.pid === pid || processes.some(({ process }) => process.pid === pid));
  return terminals.filter(
    (terminal) =>
      terminal.row.name === text ||
      handle(terminal.row) === text ||
      terminal.row.tty === device ||
      terminal.folded.some(({ tty }) => tty === device) ||
      isIn(terminal),
  );
}

/** The process that a text names by its number. */
export const pidIn = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) ? Number(text) : undefined;
