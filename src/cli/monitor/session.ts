import type { SupervisorClient } from "../../host/supervisor/client/connect-supervisor.ts";
import { UsageError } from "../failure.ts";
import { sessionOfRow } from "../supervise/session-row.ts";

const WHOLE = /^terminal-[nt]-[0-9a-f]{32}$/;

/** How much of an id tells which one is meant, in characters. */
const LEAST_ID = 4;

/** The id of the session that a person means: a whole one, as of a session that was closed, or the beginning of one that is
 * there, with or without what all of them begin with. Rejects where none or several are meant. */
export async function sessionMeant(client: SupervisorClient, text: string): Promise<string> {
  const wanted = (await sessionOfRow(text)) ?? text;
  if (WHOLE.test(wanted)) return wanted;
  if (wanted === "") throw new UsageError('a session must be an id, got ""');
  const { sessions } = await client.operate({ action: "list" });
  const ids = sessions.map(({ session_id }) => session_id);
  const found = ids.filter((id) => begins(id, wanted));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    const there = ids.length === 0 ? "there is none" : `there are ${ids.join(", ")}`;
    throw new Error(`no session is ${JSON.stringify(text)}; ${there}`);
  }
  throw new Error(`several sessions are ${JSON.stringify(text)}: ${found.join(", ")}`);
}

const begins = (id: string, text: string) =>
  text.length >= LEAST_ID &&
  (id.startsWith(text) || id.slice("terminal-n-".length).startsWith(text));
