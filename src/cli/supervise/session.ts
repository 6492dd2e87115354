import { hostIdIn } from "../../acting/pty-id.ts";
import { UsageError } from "../failure.ts";

/** The id of a session that somebody states: as the wire has it, or as lists of terminals do. */
export function sessionIn(text: string | undefined): string {
  if (text !== undefined && text !== "") return hostIdIn(text) ?? text;
  throw new UsageError("the id of a session is needed, or --request; `supervise list` has them");
}
