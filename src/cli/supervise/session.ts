import { UsageError } from "../failure.ts";
import { sessionOfRow } from "./session-row.ts";

/** The id of a session that somebody states: as the wire has it, or as lists of terminals do. */
export async function sessionIn(text: string | undefined): Promise<string> {
  if (text !== undefined && text !== "") return (await sessionOfRow(text)) ?? text;
  throw new UsageError("the id of a session is needed, or --request; `supervise list` has them");
}
