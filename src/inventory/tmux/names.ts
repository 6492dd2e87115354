import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** What people call sessions, and what programs call their panes. */
export interface Names {
  /** By the number of the session. */
  readonly sessions: ReadonlyMap<string, string>;
  /** By the number of the pane. `undefined` where it has only the title that tmux gives to every pane: the name of the
   * host. */
  readonly titles: ReadonlyMap<number, string | undefined>;
}

export const NO_NAMES: Names = { sessions: new Map(), titles: new Map() };

/** Whether two readings of names say the same. */
export function areSameNames(a: Names, b: Names): boolean {
  return areSame(a.sessions, b.sessions) && areSame(a.titles, b.titles);
}

function areSame<Key>(
  a: ReadonlyMap<Key, string | undefined>,
  b: ReadonlyMap<Key, string | undefined>,
): boolean {
  return a.size === b.size && [...a].every(([key, name]) => b.has(key) && b.get(key) === name);
}

/** A question for names whose answer can be read whatever stands in them. Each record begins with a mark
 * that nobody can have put into a name, because it is made for this one call. */
export interface NamesQuestion {
  readonly command: readonly string[];
  parse(stdout: Buffer): Names;
}

export function namesQuestion(
  mark = randomBytes(16).toString("hex"),
  host = hostname(),
): NamesQuestion {
  // What gives a pane its first title asks for the host's name as we do; shells set it without the domain.
  const defaults = new Set([host, host.split(".", 1)[0]]);
  const format = `${mark}:#{pane_id}:#{session_id}:#{session_name}${mark}:#{pane_title}`;
  return {
    command: ["list-panes", "-a", "-F", format],
    parse: (stdout) => parse(stdout.toString("utf8"), mark, defaults),
  };
}

function parse(text: string, mark: string, defaults: ReadonlySet<string | undefined>): Names {
  const sessions = new Map<string, string>();
  const titles = new Map<number, string | undefined>();
  let pane: number | undefined;
  for (const piece of text.split(`${mark}:`).slice(1)) {
    const head = /^%(\d+):\$(\d+):(.*)$/s.exec(piece);
    if (pane === undefined && head !== null) {
      const [, number, session, name] = head as unknown as [string, string, string, string];
      pane = Number(number);
      sessions.set(session, name);
    } else if (pane !== undefined) {
      // The newline that ends the record is tmux's own.
      const title = piece.replace(/\n$/, "");
      titles.set(pane, defaults.has(title) ? undefined : title);
      pane = undefined;
    }
  }
  return { sessions, titles };
}
