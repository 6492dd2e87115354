import { unsupported } from "../../acting/elsewhere.ts";
import { hostIdIn } from "../../acting/pty-id.ts";
import type { Verb } from "../../acting/terminal.ts";
import { unixSocketTransport } from "../../client/node.ts";
import { DEFAULT_SESSION } from "../../contract/acting-limits.ts";
import type { TerminalInfo as TerminalRow } from "../../contract/terminals.ts";
import type { TerminalInfo } from "../../host/channel/messages.ts";
import { connectHost, type HostConnection } from "../../host/client/connect-host.ts";
import type { SessionCalls } from "../../host/client/session.ts";
import type { ListeningHost } from "../../host/process/reach.ts";
import { ask } from "../ask.ts";
import { UsageError } from "../failure.ts";
import { requirePlatform } from "../platform.ts";
import { hostThatRuns } from "../reach-host.ts";
import { type Candidate, choices, foreignScheme, pick } from "./pick.ts";

/** What is done with a terminal, as the command for it is called. */
export type CommandVerb = Verb | "attach" | "wait";

/** What all commands on a terminal take. */
export interface TargetOptions {
  /** Absent: the command line's own, and after that any. */
  readonly session?: string;
  readonly json?: boolean;
}

/** A terminal that was meant. */
export interface FoundTerminal {
  readonly connection: HostConnection;
  readonly host: ListeningHost;
  /** The session that it belongs to. */
  readonly session: SessionCalls;
  readonly terminal: TerminalInfo;
}

/** The host has no terminal that a text means. */
export class NoSuchTerminal extends Error {
  override readonly name = "NoSuchTerminal";
}

/** Does something with the terminal of the host that a text means; `verb` says what, for where that cannot be. The
 * connection is ended afterwards. */
export async function onTerminal<Result>(
  text: string,
  verb: CommandVerb,
  { session }: TargetOptions,
  run: (found: FoundTerminal) => Promise<Result>,
): Promise<Result> {
  if (text === "") throw new UsageError('a terminal must be an id, a number or a name, got ""');
  if (foreignScheme(text) !== undefined) throw unsupported(text, verb);
  requirePlatform();
  const host = await hostThatRuns();
  if (host === undefined) {
    throw new NoSuchTerminal(
      `there is no terminal ${JSON.stringify(text)}: no terminal host runs; \`termtopic open\` starts one and opens a terminal`,
    );
  }
  const connection = await connectHost({ path: host.channel });
  try {
    const terminal = await find(text, session, connection, host);
    const owner = connection.session(terminal.sessionId);
    return await run({ connection, host, session: owner, terminal });
  } finally {
    connection.close();
  }
}

/** The one terminal that a text means. A session that is named is kept to; else one of another session is found too,
 * where the command line's own has none of that name. */
async function find(
  text: string,
  session: string | undefined,
  connection: HostConnection,
  host: ListeningHost,
): Promise<TerminalInfo> {
  const own = (await connection.session(session ?? DEFAULT_SESSION).list()).map(
    ({ terminal }) => terminal,
  );
  const found = theOne(text, pick(text, own));
  if (found !== undefined) return found;
  if (session !== undefined) throw notFound(text, `the session ${JSON.stringify(session)}`, own);
  const all = await everyTerminal(host);
  const other = theOne(text, pick(text, all));
  if (other === undefined) throw notFound(text, "the host", own.length > 0 ? own : all);
  // Which session it belongs to only somebody is told who looks at it.
  const viewer = await connection.attach(other.id, { readOnly: true });
  viewer.leave();
  return viewer.terminal;
}

async function everyTerminal(host: ListeningHost): Promise<Candidate[]> {
  return (await rowsOf(host)).flatMap((row) => {
    const id = hostIdIn(row.id);
    if (id === undefined) return [];
    return [row.name === undefined ? { id } : { id, name: row.name }];
  });
}

/** The terminals of a host as lists state them. */
export async function rowsOf({ topics }: ListeningHost): Promise<readonly TerminalRow[]> {
  return (await ask(unixSocketTransport(topics))).terminals;
}

function theOne<One extends Candidate>(text: string, found: readonly One[]): One | undefined {
  if (found.length < 2) return found[0];
  throw new Error(`several terminals are ${JSON.stringify(text)}: ${choices(found)}; give an id`);
}

function notFound(text: string, where: string, there: readonly Candidate[]): Error {
  const has = there.length === 0 ? "has none" : `has ${choices(there)}`;
  return new NoSuchTerminal(`there is no terminal ${JSON.stringify(text)}; ${where} ${has}`);
}
