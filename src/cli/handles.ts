import type { TerminalInfo } from "../contract/terminals.ts";
import { clean } from "./text.ts";

/** Names terminals in short, for people: an id decoded and without the part that tells one life of its manager
 * from the next (`tmux:/tmp/a/3` for `tmux:%2Ftmp%2Fa@812.1770000000/3`). Where two of the terminals would
 * share a name both have their whole id. */
export function handles(
  terminals: readonly TerminalInfo[],
): (terminal: Pick<TerminalInfo, "id">) => string {
  const counts = new Map<string, number>();
  for (const { id } of terminals) counts.set(short(id), (counts.get(short(id)) ?? 0) + 1);
  return ({ id }) => ((counts.get(short(id)) ?? 0) > 1 ? clean(id) : short(id));
}

const short = (id: string) => clean(decoded(id.replace(/@\d+\.\d+(?=\/|$)/, "")));

/** What no id has to encode: an escape of it is a manager's own word, such as the session `%31`. */
const PLAIN = /[A-Za-z0-9._\p{Cc}-]/u;

function decoded(id: string): string {
  return id.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      const text = decodeURIComponent(escapes);
      return PLAIN.test(text) ? escapes : text;
    } catch {
      return escapes;
    }
  });
}

/** How much of a session's id may be shown: up to the end of each of its parts. */
const SID_LENGTHS = [8, 13, 18, 23] as const;

/** Names sessions in short, for people: the first part of the id, and more where two of the sessions share
 * that, as two of Codex do that began in one minute. */
export function sessionHandles(sids: Iterable<string>): (sid: string) => string {
  const all = new Set(sids);
  const counts = new Map<string, number>();
  for (const sid of all) {
    for (const length of SID_LENGTHS) {
      const part = sid.slice(0, length);
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
  }
  return (sid) => {
    const length = SID_LENGTHS.find((one) => (counts.get(sid.slice(0, one)) ?? 0) <= 1);
    return sid.slice(0, length);
  };
}
