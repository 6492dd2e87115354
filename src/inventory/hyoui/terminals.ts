import { optional } from "../../sources/optional.ts";
import { idPart } from "../../sources/text.ts";
import type { ObservedTerminal } from "../terminal.ts";
import type { ListedSession } from "./sessions.ts";

/** Makes terminals of sessions. Names of sessions are unique within a namespace, so what each is called in ids is
 * remembered while it is listed. */
export class HyouiTerminals {
  /** By the session's identity. */
  #handles = new Map<string, string>();

  /** Of two lines about one session, such as of a socket that was left behind, the one with a process counts. */
  of(listed: readonly ListedSession[]): ObservedTerminal[] {
    const sessions = new Map<string, ListedSession>();
    for (const session of listed) {
      const other = sessions.get(identityOf(session));
      if (other?.childPid === undefined) sessions.set(identityOf(session), session);
    }
    const known = [...this.#handles].filter(([identity]) => sessions.has(identity));
    const handles = new Map(known);
    const taken = new Set(handles.values());
    const terminals = [...sessions].map(([identity, session]) => {
      const handle = handles.get(identity) ?? handleOf(session, taken);
      handles.set(identity, handle);
      taken.add(handle);
      return terminal(handle, session);
    });
    this.#handles = handles;
    return terminals;
  }
}

const identityOf = ({ namespace, session }: ListedSession) => `${namespace ?? ""}\n${session}`;

/** A session is called by its name alone, as in the environment of what runs in it, unless one of another namespace
 * was called so first. */
function handleOf({ namespace, session }: ListedSession, taken: ReadonlySet<string>): string {
  const name = idPart(session);
  return taken.has(name) ? `${idPart(namespace ?? "default")}/${name}` : name;
}

function terminal(handle: string, session: ListedSession): ObservedTerminal {
  const { namespace, tags, state, childPid, startedAt, command, cwd, clients } = session;
  const name = [...(namespace === undefined ? [] : [namespace]), ...tags].join(" ");
  return {
    id: `hyoui:${handle}`,
    state,
    ...optional("rootPid", childPid),
    ...optional("rootStartedAt", childPid === undefined ? undefined : startedAt),
    ...optional("command", command),
    ...optional("cwd", cwd),
    ...optional("name", name === "" ? undefined : name),
    ...optional("viewers", clients),
  };
}
